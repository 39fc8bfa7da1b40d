import type { FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { Invalid, NotFound } from '../errors.ts'
import { changeFolders } from '../tree/tree-store.ts'

/** Most tags of one folder: they share an item with all else that is known of it. */
export const MAX_TAGS = 200
/** Most bytes of UTF-8 that they may take together: every process that answers for the company keeps all its folders in memory. */
const MAX_TAGS_BYTES = 16 * 1024

/**
 * Changes a folder's own tags; every file and folder below inherits them at once, because tags are looked up when they are asked for. Needs
 * ADMIN.
 * @param sent the tags that the caller names
 * @param next computes the tags from those that are, and runs again when another request was faster
 * @returns the tags then; for a caller without READ those of them that were sent
 * @throws NotFound, Forbidden, Invalid for too many
 */
export async function changeTags(
  library: AuthorizedWriting,
  folderId: FolderId,
  sent: readonly string[],
  next: (tags: ReadonlySet<string>) => ReadonlySet<string>,
): Promise<string[]> {
  const { companyId } = await library.access.folderWith('ADMIN', folderId)
  const tree = await changeFolders(library, companyId, [folderId], (current) => {
    const folder = current.get(folderId)
    if (!folder) throw new NotFound('folder')
    const before = new Set(folder.tags)
    const after = next(before)
    if (Buffer.byteLength([...after].join('')) > MAX_TAGS_BYTES) {
      throw new Invalid({ path: '', message: `The tags of a folder may take at most ${MAX_TAGS_BYTES} bytes.` }, 'too_many_tags')
    }
    if (after.size > MAX_TAGS) throw new Invalid({ path: '', message: `A folder can have at most ${MAX_TAGS} tags.` }, 'too_many_tags')
    return before.symmetricDifference(after).size === 0 ? undefined : { put: [{ ...folder, tags: [...after] }] }
  })
  const { tags } = tree.get(folderId)!
  return (await library.access.has('READ', folderId)) ? tags : tags.filter((tag) => sent.includes(tag))
}
