import type { CopyInRuns, ObjectLabels, ObjectReader, PublishedObjects } from '../../backends/objects/port.ts'
import { decodesNatively } from '../../tools/imaging/native-formats.ts'
import { MASTER_SIDE } from '../../tools/imaging/sizes.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import { inline } from '../media/delivery.ts'
import { type LinkRecord, linkExtension } from '../media/link.ts'
import type { AvailableMedia } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { removeBelow } from '../remove-below.ts'
import { aiLabelOf, type PictureLabels } from './labels.ts'
import { type LinkKind, type LinkManifest, writeManifest } from './manifest.ts'
import { cacheTag, LINK_CACHE_CONTROL, publicKeys, type ShownFile } from './public-keys.ts'

/** What a link shows. */
export interface Shown {
  file: AvailableMedia
  labels: PictureLabels
}

/** The buckets from which and to which files are published. */
export interface PublicObjects {
  media: ObjectReader
  publicFiles: PublishedObjects
}

/**
 * Stores the objects of a link. The source for renderers comes first, because the manifest refers to it.
 * @param labels that its pictures carry
 * @param inRuns where another run may go on
 * @throws ObjectMissing where the file's original is gone, CopyUnfinished
 */
export async function storeObjects(
  { media, publicFiles }: PublicObjects,
  link: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
  { file, labels }: Shown,
  inRuns?: CopyInRuns,
): Promise<void> {
  if (isRenderedFromOriginal(file)) {
    const original = { key: objectKeys.original(file), from: media }
    await publicFiles.copy(original, publicKeys.original(link.linkId, shownBy(link, file)), { contentType: contentTypeOf(file) })
  }
  await storeCopy({ media, publicFiles }, link, { file, labels }, inRuns)
  await storeManifest({ publicFiles }, link, { file, labels })
}

/** Stores the copy that a link without a transformation shows. @throws as storeObjects */
export async function storeCopy(
  { media, publicFiles }: PublicObjects,
  link: Pick<LinkRecord, 'linkId' | 'alias'>,
  { file, labels }: Shown,
  inRuns?: CopyInRuns,
): Promise<void> {
  const ai = aiLabelOf(labels)
  const stored: ObjectLabels = {
    contentType: contentTypeOf(file),
    cacheControl: LINK_CACHE_CONTROL,
    disposition: inline(file.filename),
    cacheTag: cacheTag(link.linkId),
    ...(ai && { ai }),
  }
  await publicFiles.copy({ key: objectKeys.original(file), from: media }, publicKeys.copy(link), stored, inRuns)
}

/** Stores the manifest of a link, by which its pictures carry these labels. */
export async function storeManifest(
  { publicFiles }: Pick<PublicObjects, 'publicFiles'>,
  link: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
  { file, labels }: Shown,
): Promise<void> {
  const manifest = writeManifest(manifestOf(file, link, labels))
  await publicFiles.put(publicKeys.manifest(link), manifest, { contentType: 'application/json' })
}

/** What a link shows by showing this file. */
export const shownBy = ({ revision }: Pick<LinkRecord, 'revision'>, { fileNumber = 1 }: Pick<AvailableMedia, 'fileNumber'>) => {
  return { revision, file: fileNumber }
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
export const needsMaster = (file: Pick<AvailableMedia, 'kind' | 'mime' | 'width' | 'height'>): boolean =>
  file.kind === 'image' && (isLarge(file) || !isRenderedFromOriginal(file))

/** The manifest of a file. */
function manifestOf(file: AvailableMedia, link: Pick<LinkRecord, 'revision'>, labels: PictureLabels): LinkManifest {
  const { bytes, width, height, renditions, focalPoint = null, filename, title, description } = file
  const kind = kindOf(file)
  return {
    ...shownBy(link, file),
    ...{ mime: contentTypeOf(file), kind, bytes, width, height },
    ...{ extension: linkExtension(file), master: kind === 'image' && isLarge(file), ...labels },
    // Renditions are PNG where anything is transparent.
    ...{ transparent: renditions['1600px']?.mime === 'image/png', focalPoint, filename, title, description },
  }
}

/** A picture that the import could not decode is `generic`. SVG is a vector graphic. */
function kindOf({ kind, mime }: AvailableMedia): LinkKind {
  if (kind === 'image') return 'image'
  return kind === 'generic' && mime.startsWith('image/') ? 'undecodable' : 'other'
}

const isLarge = ({ width, height }: Pick<AvailableMedia, 'width' | 'height'>): boolean => Math.max(width ?? 0, height ?? 0) > MASTER_SIDE

/** The media type without parameters: the charset of a text is unknown. */
const contentTypeOf = ({ mime }: AvailableMedia): string => mime.split(';', 1)[0]!.trim() || 'application/octet-stream'

/** Makes the master of a picture that a link shows. */
export const masterJob = new JobKind<{ linkId: LinkId } & ShownFile>('make-master')
