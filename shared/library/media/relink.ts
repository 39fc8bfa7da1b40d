import type { ContentsId, MediaId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { loadChains } from '../tree/tree-store.ts'
import { mediaChange } from './changes.ts'
import { getMedia } from './find.ts'
import { linkedPlacement } from './links.ts'
import { placementOf, withoutPointers } from './placement.ts'

/**
 * Reconciles a file's links in a folder after its alias was set, removed or changed. In a CDN folder a full pointer gets its link. Links under a
 * former alias, in ordinary folders and in deleted ones end. Idempotent; ignores missing files.
 */
export async function relinkMedia(library: Writing, mediaId: MediaId, contents: ContentsId): Promise<void> {
  await retryOnConflict(async () => {
    const media = await getMedia(library, mediaId)
    if (!media?.folders.includes(contents)) return
    const placement = placementOf(media)
    const folder = (await loadChains(library, media.companyId, { contents: [contents] })).folderOfContents(contents)
    const linked = folder ? placement : withoutPointers(placement, new Set([contents]))
    const { links, operations, publication } = linkedPlacement(library, media, linked, folder ? [folder] : [])
    if (links === undefined) return
    const { operation } = mediaChange(library, media, { placed: placement, links })
    await library.table.transact({ media: operation, ...operations, ...publication })
  })
}
