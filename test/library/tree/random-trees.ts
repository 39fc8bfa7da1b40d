import fc from 'fast-check'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { toCompanyId, toContentsId, toFolderId, toUserId } from '../../../shared/vocabulary/ids.ts'

/** The id of a folder of any tree, or of none. */
export const anyFolderId = fc.integer({ min: 1, max: 26 }).map(toFolderId)

const COMPANY = toCompanyId(42)
/** People of the trees, and tags of their folders: few, so that they meet. */
export const users = [1, 2, 3].map(toUserId)
export const tags = ['Sun', 'sunset', 'Red Wine', 'été'] as const

const someRights = fc.subarray<Right>(['READ', 'WRITE', 'ADMIN', 'UPLOAD'])

const folder = fc.record({
  /** Position among the folders made before; one that there isn't is no folder: a root. */
  above: fc.nat(25),
  name: fc.constantFrom('a', 'b', 'C', 'd'),
  created: fc.nat(3),
  deleted: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  purged: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  trashOf: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...users) }),
  grants: fc.dictionary(fc.constantFrom(...users.map(String)), someRights, { maxKeys: 2 }),
  tags: fc.subarray([...tags], { maxLength: 2 }),
})

/** Trees with folders deleted, purged after they were filled, in trashcans, granted and tagged. Ids ascend from 1. */
export const anyTree: fc.Arbitrary<Tree> = fc.array(folder, { minLength: 1, maxLength: 25 }).map((wanted) => {
  const made: FolderRecord[] = []
  wanted.forEach(({ above, name, created, deleted, purged, trashOf, grants, tags: own }, n) => {
    const parent = trashOf === undefined ? made[above] : undefined
    made.push({
      ...newFolder(toFolderId(n + 1), { companyId: COMPANY, name, parent: parent?.folderId ?? null, created }),
      parentContents: parent?.contents,
      grants,
      tags: own,
      ...(deleted && { deleted: 1 }),
      ...(trashOf !== undefined && { system: 'trash' as const, owner: trashOf }),
      // What is put into it from now on hangs on other contents than what was in it before.
      ...(purged && { contents: toContentsId(1_000 + n) }),
    })
    if (purged && parent)
      made.push({ ...newFolder(toFolderId(500 + n), { companyId: COMPANY, name, parent: toFolderId(n + 1), created }), tags: own })
  })
  return new Tree(COMPANY, 1, made)
})

export const anyShares = fc.array(fc.tuple(anyFolderId, fc.integer({ min: 1, max: 15 })), { maxLength: 3 }).map((shares) => new Map(shares))
