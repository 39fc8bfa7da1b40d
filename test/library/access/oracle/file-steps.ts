import fc from 'fast-check'
import { withFreshId } from '../../../../shared/library/fresh-id.ts'
import { editOne } from '../../../../shared/library/media/edit.ts'
import { copyMedia, moveMedia, removeMedia, replaceFolders, trashMedia } from '../../../../shared/library/media/place.ts'
import { contentsOf } from '../../../../shared/library/tree/folder.ts'
import { loadTree } from '../../../../shared/library/tree/tree-store.ts'
import { CATALOGUE, type FolderId, type MediaId, toCompanyId, toFolderId, toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { requestOf } from '../../../support/library.ts'
import { putMedia } from '../../../support/media.ts'
import {
  type Choice,
  callerIn,
  cdnFolderIn,
  choice,
  containerFor,
  fileFor,
  folderIn,
  type Pair,
  type Step,
  weighing,
  worker,
  writableFor,
} from './choices.ts'
import type { LibraryModel } from './model.ts'

/** Puts a new file into the folder that is chosen then, if one is. */
const putting = (name: string, folderFor: (pair: Pair) => FolderId | undefined): Step => ({
  name,
  async carryOut(pair: Pair) {
    const folderId = folderFor(pair)
    if (folderId === undefined) return undefined
    const { companyId } = pair.model.folders.get(folderId)!
    const record = (await loadTree(pair, toCompanyId(companyId))).get(folderId)!
    return withFreshId(async (mediaId) => (await putMedia(pair.table, { mediaId, companyId, folders: [contentsOf(record)] })).mediaId)
  },
  rule(pair: Pair, made?: number) {
    const folderId = folderFor(pair)
    if (folderId !== undefined) pair.model.addFile(made!, folderId)
  },
})

export const upload = (folder: Choice): Step => putting('upload', (pair) => uploadFolderIn(pair, folder))

/** Puts a new item into the stock catalogue. */
export const itemCreation: Step = putting('put an item into the catalogue', ({ model }) => {
  const [id] = [...model.folders].find(([, { companyId }]) => companyId === CATALOGUE)!
  return toFolderId(id)
})

/** Something that a person does with a file. */
interface Deed {
  name: string
  /** @returns which folders it is about, if any */
  folders?: (pair: Pair, fileId: number) => FolderId[]
  carryOut: (library: Parameters<typeof trashMedia>[0], fileId: MediaId, folders: FolderId[]) => Promise<unknown>
  rule: (model: LibraryModel, userId: number, fileId: number, folders: number[]) => void
}

const deed = (by: number, file: Choice, { name, folders = () => [], carryOut, rule }: Deed): Step => ({
  name,
  async carryOut(pair) {
    const fileId = fileFor(pair, by, file)
    await carryOut(requestOf(pair, await callerIn(pair, by)), toMediaId(fileId), folders(pair, fileId))
  },
  rule(pair) {
    const fileId = fileFor(pair, by, file)
    rule(pair.model, pair.users[by]!, fileId, folders(pair, fileId))
  },
})

const who = { by: worker, file: choice }
/** Where a file is put, or stays: mostly a folder in which the person may write, often one that contains it already, or a CDN folder. */
const target = fc.record({ at: choice, kind: fc.constantFrom('holding', 'writable', 'cdn') })
type Target = typeof target extends fc.Arbitrary<infer T> ? T : never
function targetFor(pair: Pair, by: number, fileId: number, { at, kind }: Target) {
  if (kind === 'cdn') return cdnFolderIn(pair, at)
  return kind === 'holding' ? containerFor(pair, by, fileId, at) : writableFor(pair, by, at)
}

/** Copies a file to a folder. */
export const copying = ({ by, file, to }: { by: number; file: Choice; to: Target }): Step =>
  deed(by, file, {
    name: 'copy file',
    folders: (pair, id) => [targetFor(pair, by, id, to)],
    carryOut: (as, id, [at]) => copyMedia(as, id, at!),
    rule: (model, user, id, [at]) => model.copyFile(user, id, at!),
  })

/** What happens to files, and how often. */
export const fileSteps = [
  weighing(5, choice.map(upload)),
  weighing(6, fc.record({ ...who, to: target }).map(copying)),
  weighing(
    4,
    fc.record({ ...who, from: choice, to: target }).map(({ by, file, from, to }) =>
      deed(by, file, {
        name: 'move file',
        folders: (pair, id) => [containerFor(pair, by, id, from), targetFor(pair, by, id, to)],
        carryOut: (as, id, [source, at]) => moveMedia(as, id, source!, at!),
        rule: (model, user, id, [source, at]) => model.moveFile(user, id, source!, at!),
      }),
    ),
  ),
  weighing(
    3,
    fc.record({ ...who, wanted: fc.array(target, { maxLength: 3 }) }).map(({ by, file, wanted }) =>
      deed(by, file, {
        name: 'replace the folders of a file',
        folders: (pair, id) => wanted.map((to) => targetFor(pair, by, id, to)),
        carryOut: replaceFolders,
        rule: (model, user, id, folders) => model.replaceFolders(user, id, folders),
      }),
    ),
  ),
  weighing(
    2,
    fc.record(who).map(({ by, file }) =>
      deed(by, file, {
        name: 'edit file',
        carryOut: (as, id) => editOne(as, id, () => ({ title: {} })),
        rule: (model, user, id) => model.editFile(user, id),
      }),
    ),
  ),
  weighing(
    1,
    fc.record({ ...who, from: choice }).map(({ by, file, from }) =>
      deed(by, file, {
        name: 'remove file',
        folders: (pair, id) => [containerFor(pair, by, id, from)],
        carryOut: (as, id, [source]) => removeMedia(as, id, source!),
        rule: (model, user, id, [source]) => model.removeFile(user, id, source!),
      }),
    ),
  ),
  weighing(
    3,
    fc.record({ ...who, from: choice }).map(({ by, file, from }) =>
      deed(by, file, {
        name: 'move file to trash',
        folders: (pair, id) => [containerFor(pair, by, id, from)],
        carryOut: (as, id, [source]) => trashMedia(as, id, source!),
        rule: (model, user, id, [source]) => model.trashFile(user, id, source!),
      }),
    ),
  ),
]

/** Where this step uploads: `putMedia` knows nothing of trashcans, whose entries are due to be deleted, nor of links. */
function uploadFolderIn(pair: Pair, at: Choice): FolderId | undefined {
  const folderId = folderIn(pair, { ...at, among: 'usable' })
  return ['trash', 'cdn'].includes(pair.model.folders.get(folderId)?.system ?? '') ? undefined : folderId
}
