import fc from 'fast-check'
import { createClique, deleteClique } from '../../../../shared/library/cliques/cliques.ts'
import { addMember, removeMember } from '../../../../shared/library/cliques/members.ts'
import { shareFolder, unshareFolder } from '../../../../shared/library/cliques/shares.ts'
import type { Right } from '../../../../shared/library/tree/folder.ts'
import {
  actingIn,
  type Choice,
  choice,
  cliqueIn,
  company,
  folderIn,
  type Pair,
  person,
  type Step,
  sharedIn,
  sharedRights,
  weighing,
} from './choices.ts'

/** Makes a clique in a company. */
export const cliqueCreation = ({ by, company: at }: { by: number; company: number }): Step => ({
  name: 'create clique',
  async carryOut(pair: Pair) {
    const input = { companyId: pair.companies[at]!, name: 'Clique', thumbnail: null }
    return (await createClique(await actingIn(pair, by), input)).cliqueId
  },
  rule: (pair: Pair, made?: number) => pair.model.createClique(pair.users[by]!, pair.companies[at]!, made),
})

/** Makes somebody member of a clique. */
export const joining = ({ by, clique, member }: { by: number; clique: Choice; member: number }): Step => ({
  name: 'add member',
  async carryOut(pair: Pair) {
    await addMember(await actingIn(pair, by), cliqueIn(pair, clique), pair.users[member]!)
  },
  rule: (pair: Pair) => pair.model.addMember(pair.users[by]!, cliqueIn(pair, clique), pair.users[member]!),
})

/** @param given.again whether to share a folder that is shared with the clique already */
export const sharing = ({
  by,
  clique,
  folder,
  again,
  rights,
}: {
  by: number
  clique: Choice
  folder: Choice
  again: boolean
  rights: Right[]
}): Step => {
  const folderOf = (pair: Pair) => (again ? sharedIn(pair, clique, folder) : folderIn(pair, folder))
  return {
    name: 'share folder',
    async carryOut(pair) {
      await shareFolder(await actingIn(pair, by), cliqueIn(pair, clique), folderOf(pair), rights)
    },
    rule: (pair) => pair.model.share(pair.users[by]!, cliqueIn(pair, clique), folderOf(pair), rights),
  }
}

/** What happens to cliques, and how often. */
export const cliqueSteps = [
  weighing(3, fc.record({ by: person, company }).map(cliqueCreation)),
  weighing(
    1,
    fc.record({ by: person, clique: choice }).map(({ by, clique }) => ({
      name: 'delete clique',
      carryOut: async (pair: Pair) => deleteClique(await actingIn(pair, by), cliqueIn(pair, clique)),
      rule: (pair: Pair) => pair.model.deleteClique(pair.users[by]!, cliqueIn(pair, clique)),
    })),
  ),
  weighing(6, fc.record({ by: person, clique: choice, member: person }).map(joining)),
  weighing(
    2,
    fc.record({ by: person, clique: choice, member: person }).map(({ by, clique, member }) => ({
      name: 'remove member',
      carryOut: async (pair: Pair) => removeMember(await actingIn(pair, by), cliqueIn(pair, clique), pair.users[member]!),
      rule: (pair: Pair) => pair.model.removeMember(pair.users[by]!, cliqueIn(pair, clique), pair.users[member]!),
    })),
  ),
  weighing(7, fc.record({ by: person, clique: choice, folder: choice, again: fc.boolean(), rights: sharedRights }).map(sharing)),
  weighing(
    2,
    fc.record({ by: person, clique: choice, folder: choice }).map(({ by, clique, folder }) => ({
      name: 'unshare folder',
      carryOut: async (pair: Pair) => unshareFolder(await actingIn(pair, by), cliqueIn(pair, clique), sharedIn(pair, clique, folder)),
      rule: (pair: Pair) => pair.model.unshare(pair.users[by]!, cliqueIn(pair, clique), sharedIn(pair, clique, folder)),
    })),
  ),
]
