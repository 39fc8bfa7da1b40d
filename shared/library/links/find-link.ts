import type { CompanyId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import { getMedia } from '../media/find.ts'
import { getLink, type LinkRecord, linkExtension } from '../media/link.ts'
import { isAvailable, type MediaLink, type MediaRecord } from '../media/media.ts'
import { contentsOf } from '../tree/folder.ts'
import { type CdnFolder, isCdnFolder } from '../tree/system-folders.ts'

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
  return { link, extension: extensionOf(link, media) }
}

/** The extension of a link's URL: that of its first file. Undefined while that is being imported. */
export const extensionOf = ({ extension }: LinkRecord, media: MediaRecord): string | undefined =>
  extension ?? (isAvailable(media) ? linkExtension(media) : undefined)
