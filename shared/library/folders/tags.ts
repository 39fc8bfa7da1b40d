import type { FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { Invalid, NotFound } from '../errors.ts'
import { changeFolders } from '../tree/tree-store.ts'

/** Most tags of one folder: they are part of its item. */
export const MAX_TAGS = 200
/** Most bytes of one folder's tags, in UTF-8: processes keep all folders of a company in memory. */
const MAX_TAGS_BYTES = 16 * 1024

/**
 * Changes a folder's own tags. Files and folders below inherit them at once, because inherited tags are computed by every read. Requires
 * ADMIN.
 * @param sent the tags in the request
 * @param next computes the tags from the current ones; runs again after a conflict
 * @returns the folder's tags. For callers without READ only those that they sent
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
