import type { Settings } from '../../settings.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { getLinks, type LinkRecord } from '../media/link.ts'
import type { MediaLink, MediaRecord } from '../media/media.ts'
import type { Tree } from '../tree/tree.ts'

/** The host of links. */
type LinkHost = Pick<Settings, 'cdnUrl'>

/** The URL of a link. It never changes. @param link.extension without dot */
export function linkUrl(
  { cdnUrl }: LinkHost,
  { alias, linkId, extension }: Pick<LinkRecord, 'alias' | 'linkId'> & { extension: string },
): string {
  return `${cdnUrl}/${alias}/${linkId}.${extension}`
}

/**
 * URLs of the published links of files, by one read of all links. A link counts as ended as soon as its folder or alias is gone, before the job ends it.
 * @param files each with the tree of its company
 * @returns for files with published links
 */
export async function publishedUrls(
  { table, settings }: Reading & { settings: LinkHost },
  files: readonly { media: Pick<MediaRecord, 'mediaId' | 'links'>; tree: Tree }[],
): Promise<ReadonlyMap<MediaId, string[]>> {
  const linkIds = files.flatMap(({ media, tree }) => (media.links ?? []).filter((link) => isPublishing(tree, link)).map(({ id }) => id))
  const urls = new Map<MediaId, string[]>()
  if (linkIds.length === 0) return urls
  for (const { published, mediaId, extension, ...link } of await getLinks({ table }, linkIds)) {
    if (!published || mediaId === null || extension === undefined) continue
    urls.set(mediaId, [...(urls.get(mediaId) ?? []), linkUrl(settings, { ...link, extension })])
  }
  return urls
}

const isPublishing = (tree: Tree, { contents, alias }: MediaLink): boolean => tree.folderOfContents(contents)?.alias === alias
