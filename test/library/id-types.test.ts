import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { typeErrors } from '../support/type-errors.ts'

/** A module that works on a library with an id of every kind. */
const moduleWith = (code: string) => `
import type { Access } from '../../shared/library/access/access.ts'
import { findCompany } from '../../shared/library/accounts/companies.ts'
import { findUser, userKey } from '../../shared/library/accounts/users.ts'
import { addMember } from '../../shared/library/cliques/members.ts'
import { shareFolder } from '../../shared/library/cliques/shares.ts'
import { deleteFolder } from '../../shared/library/folders/folders.ts'
import { setGrants } from '../../shared/library/folders/grants.ts'
import type { Writing } from '../../shared/library/library.ts'
import type { MediaRecord } from '../../shared/library/media/media.ts'
import { copyMedia } from '../../shared/library/media/place.ts'
import { withPointer } from '../../shared/library/media/placement.ts'
import { contentsOf, type FolderRecord } from '../../shared/library/tree/folder.ts'
import type { Tree } from '../../shared/library/tree/tree.ts'
import { usageOfUser } from '../../shared/library/usage/usage.ts'
import { type CliqueId, type CompanyId, type ContentsId, type FolderId, type KeyId, type MediaId, toFolderId, type UserId } from '../../shared/vocabulary/ids.ts'
export const used = [findCompany, findUser, userKey, addMember, shareFolder, deleteFolder, setGrants, copyMedia, withPointer, contentsOf, usageOfUser, toFolderId]
export interface Given {
  library: Writing & { access: Access }
  tree: Tree
  folder: FolderRecord
  media: MediaRecord
  companyId: CompanyId
  userId: UserId
  folderId: FolderId
  contents: ContentsId
  mediaId: MediaId
  cliqueId: CliqueId
  keyId: KeyId
  number: number
}
export const subject = ({ library, tree, folder, media, companyId, userId, folderId, contents, mediaId, cliqueId, keyId, number }: Given) =>
  [library, tree, folder, media, companyId, userId, folderId, contents, mediaId, cliqueId, keyId, number, ${code}]
`

/** Uses of ids by name: of the right kind, and of wrong ones. */
const right: Record<string, string> = {
  'a folder by its id': 'tree.get(folder.folderId)',
  'the folders of a file by their contents': 'tree.foldersOfContents(media.folders)',
  'the contents of a folder': 'tree.folderOfContents(contentsOf(folder))',
  'a pointer into a folder': "withPointer(new Map(), contentsOf(folder), 'full')",
  'a folder and a clique': "shareFolder(library, cliqueId, folder.folderId, ['READ'])",
  'an id that was read from input': 'deleteFolder(library, toFolderId(number))',
  'ids are numbers to the outside': 'folderId + 1',
}
const wrong: Record<string, string> = {
  'a plain number for a folder': 'deleteFolder(library, number)',
  'contents for the folder': 'tree.get(contents)',
  'a folder for its contents': 'tree.folderOfContents(folderId)',
  'a folder id where a file tells its folders': "withPointer(new Map(), folder.folderId, 'full')",
  'a file for a folder': 'deleteFolder(library, mediaId)',
  'a company for a folder': 'deleteFolder(library, companyId)',
  'the contents of a file for a folder': 'deleteFolder(library, media.folders[0]!)',
  'a file for the folder that it is copied to': 'copyMedia(library, media.mediaId, media.mediaId)',
  'a user for a company': 'findCompany(library, userId)',
  'a company for a user': 'findUser(library, companyId)',
  'a key for a user': 'userKey(keyId)',
  'a user and a company exchanged': 'usageOfUser(library, companyId, [userId])',
  'a user and a folder exchanged': 'setGrants(library, userId, folderId, () => [])',
  'a user and a clique exchanged': 'addMember(library, userId, cliqueId)',
  'a folder and a clique exchanged': "shareFolder(library, folderId, cliqueId, ['READ'])",
}

describe('ids of different things', () => {
  const nameOf = (use: string) => use.replaceAll(' ', '-')
  let errors: string[]
  beforeAll(async () => {
    const modules = Object.entries({ ...right, ...wrong }).map(([use, code]) => [nameOf(use), moduleWith(code)])
    errors = (await typeErrors(Object.fromEntries(modules))).split('\n')
  })
  const errorsOf = (use: string) => errors.filter((line) => line.startsWith(`${nameOf(use)}.ts`))

  for (const use of Object.keys(right)) test(`${use}: compiles`, () => assert.deepEqual(errorsOf(use), []))
  for (const use of Object.keys(wrong)) {
    test(`${use}: does not compile`, () => {
      const found = errorsOf(use)
      assert.ok(found.length > 0, 'it compiled')
      for (const error of found) assert.match(error, /error TS2(345|322)/)
    })
  }
})
