import { type CopyInRuns, type ObjectLabels, ObjectMissing, type ObjectReader, type PublishedObjects } from '../../backends/objects/port.ts'
import { decodesNatively } from '../../tools/imaging/native-formats.ts'
import { MASTER_SIDE } from '../../tools/imaging/sizes.ts'
import { limits } from '../../tools/metadata/extraction.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import { inline } from '../media/delivery.ts'
import { type LinkRecord, linkExtension } from '../media/link.ts'
import type { AvailableMedia } from '../media/media.ts'
import { objectKeys, storedTags } from '../media/objects.ts'
import { removeBelow } from '../remove-below.ts'
import { type LinkKind, type LinkManifest, writeManifest } from './manifest.ts'
import { cacheTag, LINK_CACHE_CONTROL, publicKeys } from './public-keys.ts'

/** The buckets from which and to which files are published. */
export interface PublicObjects {
  media: ObjectReader
  publicFiles: PublishedObjects
}

/**
 * Stores the objects of a link. The source for renderers comes first, because the manifest refers to it.
 * @param copyright that its pictures carry
 * @param inRuns where another run may go on
 * @throws ObjectMissing where the file's original is gone, CopyUnfinished
 */
export async function storeObjects(
  { media, publicFiles }: PublicObjects,
  link: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
  { file, copyright }: { file: AvailableMedia; copyright: string | null },
  inRuns?: CopyInRuns,
): Promise<void> {
  const { linkId, alias, revision } = link
  const original = { key: objectKeys.original(file), from: media }
  if (isRenderedFromOriginal(file)) {
    await publicFiles.copy(original, publicKeys.original(linkId, revision), { contentType: contentTypeOf(file) })
  }
  const labels: ObjectLabels = {
    contentType: contentTypeOf(file),
    cacheControl: LINK_CACHE_CONTROL,
    disposition: inline(file.filename),
    cacheTag: cacheTag(linkId),
  }
  await publicFiles.copy(original, publicKeys.copy({ linkId, alias }), labels, inRuns)
  await storeManifest({ publicFiles }, link, { file, copyright })
}

/** Stores the manifest of a link, by which its pictures carry this copyright. */
export async function storeManifest(
  { publicFiles }: Pick<PublicObjects, 'publicFiles'>,
  link: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
  { file, copyright }: { file: AvailableMedia; copyright: string | null },
): Promise<void> {
  const manifest = writeManifest(manifestOf(file, link.revision, copyright))
  await publicFiles.put(publicKeys.manifest(link), manifest, { contentType: 'application/json' })
}

/** Removes all objects of a link from the public bucket. The link then answers 404. */
export async function removeObjects(
  { publicFiles }: Pick<PublicObjects, 'publicFiles'>,
  { linkId, alias }: Pick<LinkRecord, 'linkId' | 'alias'>,
): Promise<void> {
  await publicFiles.delete([publicKeys.copy({ linkId, alias }), publicKeys.manifest({ linkId, alias })])
  await removeBelow(publicFiles, publicKeys.sources(linkId))
}

/** Whether libvips decodes the file. Other formats are converted first. */
export const isRenderedFromOriginal = ({ kind, mime }: Pick<AvailableMedia, 'kind' | 'mime'>): boolean =>
  kind === 'image' && decodesNatively(mime)

/** Whether a job makes a master: of a large picture, or of a format that libvips doesn't decode. */
export const needsMaster = (file: AvailableMedia): boolean => file.kind === 'image' && (isLarge(file) || !isRenderedFromOriginal(file))

/** The manifest of a file. */
function manifestOf(file: AvailableMedia, revision: number, copyright: string | null): LinkManifest {
  const { bytes, width, height } = file
  const kind = kindOf(file)
  return {
    ...{ revision, mime: contentTypeOf(file), kind, bytes, width, height },
    ...{ extension: linkExtension(file), copyright, master: kind === 'image' && isLarge(file) },
  }
}

/** A picture that the import could not decode is `generic`. SVG is a vector graphic. */
function kindOf({ kind, mime }: AvailableMedia): LinkKind {
  if (kind === 'image') return 'image'
  return kind === 'generic' && mime.startsWith('image/') ? 'undecodable' : 'other'
}

const isLarge = ({ width, height }: AvailableMedia): boolean => Math.max(width ?? 0, height ?? 0) > MASTER_SIDE

/** The media type without parameters: the charset of a text is unknown. */
const contentTypeOf = ({ mime }: AvailableMedia): string => mime.split(';', 1)[0]!.trim() || 'application/octet-stream'

type Described = Pick<AvailableMedia, 'companyId' | 'mediaId' | 'kind' | 'copyright' | 'emptied'>

/**
 * The copyright in pictures of a link: the library's, else that of the file's EXIF. The library's comes from IPTC and XMP at the import. An emptied
 * one stays empty.
 * @returns null where there is none
 */
export async function shownCopyright(media: Pick<ObjectReader, 'get'>, file: Described): Promise<string | null> {
  if (file.copyright || file.kind !== 'image' || file.emptied?.includes('copyright')) return file.copyright || null
  const text = String((await tagsOf(media, file)).EXIF?.Copyright ?? '')
  return text.replaceAll('\0', '').trim().slice(0, limits.copyright).toWellFormed() || null
}

async function tagsOf(media: Pick<ObjectReader, 'get'>, file: Described): Promise<FileTags['printed']> {
  try {
    return await storedTags(media, file)
  } catch (error) {
    if (error instanceof ObjectMissing) return {}
    throw error
  }
}

/** Makes the master of a link's picture at a revision. */
export const masterJob = new JobKind<{ linkId: LinkId; revision: number }>('make-master')
