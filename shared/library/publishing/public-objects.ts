import type { ObjectLabels, ObjectReader, PublishedObjects } from '../../backends/objects/port.ts'
import { decodesNatively } from '../../tools/imaging/native-formats.ts'
import { MASTER_SIDE } from '../../tools/imaging/sizes.ts'
import { type LinkRecord, linkExtension } from '../links/link.ts'
import { cacheTag, LINK_CACHE_CONTROL, publicKeys } from '../links/public-keys.ts'
import { inline } from '../media/delivery.ts'
import { type AvailableMedia, objectKeys } from '../media/media.ts'
import { removeBelow } from '../remove-below.ts'
import { type LinkKind, type LinkManifest, writeManifest } from './manifest.ts'
import { shownCopyright } from './shown-copyright.ts'

/** Between what buckets a file is published. */
export interface PublicObjects {
  media: ObjectReader
  publicFiles: PublishedObjects
}

/**
 * Stores what a link shows: first the picture that renderers work from, because the manifest leads them there.
 * @throws ObjectMissing where the file's original is gone
 */
export async function storeObjects(
  { media, publicFiles }: PublicObjects,
  { linkId, alias, revision }: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
  file: AvailableMedia,
): Promise<void> {
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
  await publicFiles.copy(original, publicKeys.copy({ linkId, alias }), labels)
  const manifest = writeManifest(manifestOf(file, revision, await shownCopyright(media, file)))
  await publicFiles.put(publicKeys.manifest({ linkId, alias }), manifest, { contentType: 'application/json' })
}

/** Removes all that the public bucket holds of a link: the link answers 404 from now on. */
export async function removeObjects(
  { publicFiles }: Pick<PublicObjects, 'publicFiles'>,
  { linkId, alias }: Pick<LinkRecord, 'linkId' | 'alias'>,
): Promise<void> {
  await publicFiles.delete([publicKeys.copy({ linkId, alias }), publicKeys.manifest({ linkId, alias })])
  await removeBelow(publicFiles, publicKeys.sources(linkId))
}

/** Whether pictures are rendered from the file as it is; other formats than libvips decodes are converted first. */
export const isRenderedFromOriginal = ({ kind, mime }: Pick<AvailableMedia, 'kind' | 'mime'>): boolean =>
  kind === 'image' && decodesNatively(mime)

/** Whether a job makes something for the renderer: a master of a large picture, a picture that libvips decodes of another one. */
export const needsMaster = (file: AvailableMedia): boolean => file.kind === 'image' && (isLarge(file) || !isRenderedFromOriginal(file))

/** What renderers and hosts are told of a file. */
function manifestOf(file: AvailableMedia, revision: number, copyright: string | null): LinkManifest {
  const { bytes, width, height } = file
  const kind = kindOf(file)
  return {
    ...{ revision, mime: contentTypeOf(file), kind, bytes, width, height },
    ...{ extension: linkExtension(file), copyright, master: kind === 'image' && isLarge(file) },
  }
}

/** A picture that could not be decoded is generic to the library. SVG is a vector graphic. */
function kindOf({ kind, mime }: AvailableMedia): LinkKind {
  if (kind === 'image') return 'image'
  return kind === 'generic' && mime.startsWith('image/') ? 'undecodable' : 'other'
}

const isLarge = ({ width, height }: AvailableMedia): boolean => Math.max(width ?? 0, height ?? 0) > MASTER_SIDE

/** Without parameters: what a text's charset is nobody looked up. */
const contentTypeOf = ({ mime }: AvailableMedia): string => mime.split(';', 1)[0]!.trim() || 'application/octet-stream'
