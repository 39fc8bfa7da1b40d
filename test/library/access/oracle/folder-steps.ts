import fc from 'fast-check'
import { changeFolder, createFolder, deleteFolder } from '../../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../../shared/library/folders/grants.ts'
import { purgeFolder } from '../../../../shared/library/folders/purge.ts'
import { trashFolder } from '../../../../shared/library/trash/trash-folder.ts'
import {
  actingIn,
  type Choice,
  choice,
  company,
  folderIn,
  grantedRights,
  type Pair,
  person,
  place,
  placeIn,
  type Step,
  weighing,
} from './choices.ts'

/** Creates a folder, by somebody, where they choose. */
export const creation = ({ by, parent, company: at }: { by: number; parent: Choice | null; company: number }): Step => ({
  name: 'create folder',
  async carryOut(pair: Pair) {
    const companyId = parent === null ? pair.companies[at]! : undefined
    const input = { name: 'Folder', parent: placeIn(pair, parent), companyId }
    return (await createFolder(await actingIn(pair, by), input)).folderId
  },
  rule: (pair: Pair, made?: number) =>
    pair.model.createFolder(pair.users[by]!, { parent: placeIn(pair, parent), companyId: pair.companies[at]! }, made),
})

/** What happens to folders, and how often. */
export const folderSteps = [
  weighing(8, fc.record({ by: person, parent: place, company }).map(creation)),
  weighing(
    8,
    fc.record({ by: person, folder: choice, parent: place }).map(({ by, folder, parent }) => ({
      name: 'move folder',
      carryOut: async (pair: Pair) => changeFolder(await actingIn(pair, by), folderIn(pair, folder), { parent: placeIn(pair, parent) }),
      rule: (pair: Pair) => pair.model.moveFolder(pair.users[by]!, folderIn(pair, folder), placeIn(pair, parent)),
    })),
  ),
  weighing(
    3,
    fc.record({ by: person, folder: choice }).map(({ by, folder }) => ({
      name: 'move folder to trash',
      carryOut: async (pair: Pair) => trashFolder(await actingIn(pair, by), folderIn(pair, folder)),
      rule: (pair: Pair) => pair.model.trashFolder(pair.users[by]!, folderIn(pair, folder)),
    })),
  ),
  weighing(
    2,
    fc.record({ by: person, folder: choice }).map(({ by, folder }) => ({
      name: 'delete folder',
      carryOut: async (pair: Pair) => deleteFolder(await actingIn(pair, by), folderIn(pair, folder)),
      rule: (pair: Pair) => pair.model.deleteFolder(pair.users[by]!, folderIn(pair, folder)),
    })),
  ),
  weighing(
    4,
    fc.record({ by: person, folder: choice }).map(({ by, folder }) => ({
      name: 'purge folder',
      carryOut: async (pair: Pair) => purgeFolder(await actingIn(pair, by), folderIn(pair, folder)),
      rule: (pair: Pair) => pair.model.purgeFolder(pair.users[by]!, folderIn(pair, folder)),
    })),
  ),
  weighing(
    5,
    fc.record({ to: person, folder: choice, rights: grantedRights }).map(({ to, folder, rights }) => ({
      name: 'grant',
      carryOut: (pair: Pair) => setGrants(pair, folderIn(pair, folder), pair.users[to]!, () => rights),
      rule: (pair: Pair) => pair.model.grant(pair.users[to]!, folderIn(pair, folder), rights),
    })),
  ),
]
