import type { CopiedObject, ObjectLabels, Objects } from '../../backends/objects/port.ts'
import type { Digest } from '../../tools/digest.ts'
import { labelledFile } from '../../tools/imaging/label-picture.ts'
import { hasContentCredentials } from '../../tools/metadata/content-credentials.ts'
import type { ExtractedMetadata } from '../../tools/metadata/extraction.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { labelsIn, type PictureLabels } from '../links/labels.ts'
import type { FileFacts, MediaRecord } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import type { Importing } from './import-run.ts'
import type { Inspection } from './inspect.ts'

/** Largest `tags.json`, in bytes. A Lambda response holds 6 MB, and the JSON is escaped once more in it. */
const MAX_TAGS_BYTES = 2.5 * 1024 * 1024

/** The file that is stored, with what its pictures say. */
type StoredFile = Pick<MediaRecord, 'companyId' | 'mediaId' | 'stored' | 'uploadKey' | 'copyright' | 'emptied'> & Pick<FileFacts, 'kind'>

/**
 * Stores the original of a file, its tags and its renditions.
 * @param file with the metadata that it has after the import
 */
export async function storeFile(
  { uploads, media: objects, settings: { storageClass } }: Importing,
  file: StoredFile,
  original: Required<Pick<CopiedObject, 'etag' | 'crc32'>>,
  inspection: Inspection,
): Promise<FileFacts['renditions']> {
  const { mime } = inspection.sniffed
  // Fails if the client posted the form again meanwhile; the next run then inspects the new file.
  const labels = { contentType: mime, ...(storageClass && { storageClass }) }
  await objects.copy({ from: uploads, key: file.uploadKey, ...original }, objectKeys.original(file), labels)
  const tags = storableTags(inspection.tags)
  await objects.put(objectKeys.tags(file), jsonOf(tags), { contentType: 'application/json' })
  const renditions: FileFacts['renditions'] = {}
  const stored = new Set<string>()
  for (const { size, path, mime: contentType, width, height } of inspection.renditions) {
    const key = objectKeys.rendition(file, { width, height })
    if (!stored.has(key)) await storePicture(objects, key, path, { contentType }, labelsIn(tags, file))
    stored.add(key)
    renditions[size] = { key, mime: contentType, width, height }
  }
  return renditions
}

/** Stores a rendered picture with what it says of itself. */
async function storePicture(
  objects: Pick<Objects, 'put' | 'putFile'>,
  key: string,
  path: string,
  labels: ObjectLabels,
  said: PictureLabels,
): Promise<void> {
  const labelled = await labelledFile(path, said)
  if (labelled) await objects.put(key, labelled, labels)
  else await objects.putFile(key, path, labels)
}

/** Tags without their largest groups, until the rest can be stored. Ordinary tags are a few kilobytes. */
function storableTags(tags: FileTags | undefined): FileTags['printed'] {
  const groups = { ...tags?.printed }
  while (jsonOf(groups).length > MAX_TAGS_BYTES) delete groups[largestGroup(groups)]
  return groups
}

const jsonOf = (tags: FileTags['printed']): Buffer => Buffer.from(JSON.stringify(tags))

function largestGroup(groups: FileTags['printed']): string {
  const sizes = Object.entries(groups).map(([name, group]) => ({ name, size: JSON.stringify(group).length }))
  return sizes.reduce((largest, each) => (each.size > largest.size ? each : largest)).name
}

/** What an import finds out about a file. */
export function factsOf(
  digest: Digest,
  inspection: Inspection,
  extracted: ExtractedMetadata,
  renditions: FileFacts['renditions'],
): FileFacts {
  const { sniffed, width, height, video, thumbhash, tags } = inspection
  const { iptc, geolocation, cameraCreated = null } = extracted
  const known = { iptc, geolocation, cameraCreated, suggestedKeywords: [], renditions }
  return {
    ...sniffed,
    ...digest,
    width,
    height,
    ...(tags && hasContentCredentials(tags.texts) && { contentCredentials: true as const }),
    ...(thumbhash && { thumbhash }),
    ...(video && { video }),
    ...known,
  }
}
