import fc from 'fast-check'
import { contentsOf } from '../../../../shared/library/folders/folder.ts'
import { loadTree } from '../../../../shared/library/folders/tree-store.ts'
import { withFreshId } from '../../../../shared/library/ids.ts'
import { copyAs, moveAs, removeAs, trashAs } from '../../../../shared/library/media/place-as.ts'
import { putMedia } from '../../../support/media.ts'
import { type Choice, callerIn, choice, fileIn, folderIn, holderIn, type Pair, type Step, worker } from './choices.ts'

/** Puts a new file into a folder. */
export const upload = (folder: Choice): Step => ({
  name: 'upload',
  async carryOut(pair: Pair) {
    const folderId = uploadFolderIn(pair, folder)
    if (folderId === undefined) return undefined
    const { companyId } = pair.model.folders.get(folderId)!
    const record = (await loadTree(pair.table, companyId)).get(folderId)!
    return withFreshId(async (mediaId) => (await putMedia(pair.table, { mediaId, companyId, folders: [contentsOf(record)] })).mediaId)
  },
  rule(pair: Pair, made?: number) {
    const folderId = uploadFolderIn(pair, folder)
    if (folderId !== undefined) pair.model.addFile(made!, folderId)
  },
})

/** What happens to files, and how often. */
export const fileSteps = [
  {
    weight: 5,
    arbitrary: choice.map(upload),
  },
  {
    weight: 4,
    arbitrary: fc.record({ by: worker, file: choice, to: choice }).map(({ by, file, to }) => ({
      name: 'copy file',
      carryOut: async (pair: Pair) => copyAs({ ...pair, caller: await callerIn(pair, by) }, fileIn(pair, file), folderIn(pair, to)),
      rule: (pair: Pair) => pair.model.copyFile(pair.users[by]!, fileIn(pair, file), folderIn(pair, to)),
    })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ by: worker, file: choice, from: choice, to: choice }).map(({ by, file, from, to }) => ({
      name: 'move file',
      carryOut: async (pair: Pair) =>
        moveAs({ ...pair, caller: await callerIn(pair, by) }, fileIn(pair, file), holderIn(pair, file, from), folderIn(pair, to)),
      rule: (pair: Pair) => pair.model.moveFile(pair.users[by]!, fileIn(pair, file), holderIn(pair, file, from), folderIn(pair, to)),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ by: worker, file: choice, from: choice }).map(({ by, file, from }) => ({
      name: 'remove file',
      carryOut: async (pair: Pair) =>
        removeAs({ ...pair, caller: await callerIn(pair, by) }, fileIn(pair, file), holderIn(pair, file, from)),
      rule: (pair: Pair) => pair.model.removeFile(pair.users[by]!, fileIn(pair, file), holderIn(pair, file, from)),
    })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ by: worker, file: choice, from: choice }).map(({ by, file, from }) => ({
      name: 'move file to trash',
      carryOut: async (pair: Pair) =>
        trashAs({ ...pair, caller: await callerIn(pair, by) }, fileIn(pair, file), holderIn(pair, file, from)),
      rule: (pair: Pair) => pair.model.trashFile(pair.users[by]!, fileIn(pair, file), holderIn(pair, file, from)),
    })),
  },
]

/** Where this step uploads: `putMedia` knows nothing of trashcans, whose entries are due to be deleted. */
function uploadFolderIn(pair: Pair, at: Choice): number | undefined {
  const folderId = folderIn(pair, { ...at, among: 'usable' })
  return pair.model.folders.get(folderId)?.system === 'trash' ? undefined : folderId
}
