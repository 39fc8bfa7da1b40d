import type { Settings } from '../../settings.ts'
import type { CompanyId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import type { Reading } from '../library.ts'
import { formerFile } from '../media/files.ts'
import { getMedia } from '../media/find.ts'
import { getLink, getLinks, type LinkRecord, linkExtension } from '../media/link.ts'
import { isAvailable, type MediaLink, type MediaRecord } from '../media/media.ts'
import { contentsOf } from '../tree/folder.ts'
import { type CdnFolder, isCdnFolder } from '../tree/system-folders.ts'
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

/** A CDN folder of a company, on which the caller has some right. @throws NotFound */
export async function cdnFolder(
  { access }: Pick<AuthorizedReading, 'access'>,
  companyId: CompanyId,
  folderId: FolderId,
): Promise<CdnFolder> {
  const { record } = await access.folder(folderId)
  if (record.companyId !== companyId) throw new NotFound('folder')
  // Only CDN folders have links.
  if (!isCdnFolder(record)) throw new NotFound('link')
  return record
}

/** Links of a file in a CDN folder, oldest first, without those under a former alias of the folder. */
export const linksIn = ({ links = [] }: Pick<MediaRecord, 'links'>, folder: CdnFolder): MediaLink[] =>
  links.filter(({ contents, alias }) => contents === contentsOf(folder) && alias === folder.alias)

/** A link, and the extension of its URL: undefined while the file is imported and the link was never published. */
export interface ShownLink {
  link: LinkRecord
  /** The file, read before the link. */
  media: MediaRecord
  extension: string | undefined
}

/**
 * The link of a file in a CDN folder, for callers with READ on the file. The oldest where a replacement added another.
 * @throws NotFound where the file has no link, whoever owns it; Forbidden
 */
export async function findLink(library: AuthorizedReading, folder: CdnFolder, mediaId: MediaId): Promise<ShownLink> {
  await library.access.folderWith('READ', folder.folderId)
  const media = await getMedia(library, mediaId)
  const [first] = media ? linksIn(media, folder) : []
  const link = first && (await getLink(library, first.id))
  // A replacement or a removal may be committed between the two reads.
  if (!media || link?.mediaId !== mediaId) throw new NotFound('link')
  return { link, media, extension: await extensionOf(library, link, media) }
}

/** The extension of a link's URL: that of its first file. Undefined while that is being imported. */
export async function extensionOf(
  library: Reading,
  { extension }: Pick<LinkRecord, 'extension'>,
  media: MediaRecord,
): Promise<string | undefined> {
  if (extension !== undefined) return extension
  if (!isAvailable(media)) return undefined
  // Made while its first file was imported, which may have been replaced before the link was published.
  const first = media.fileNumber === undefined ? undefined : await formerFile(library, media.mediaId, 1)
  return linkExtension(first?.state === 'available' ? first : media)
}
