import { ObjectMissing, type ObjectReader, type Objects } from '../../backends/objects/port.ts'
import { type ContentsId, type MediaId, toContentsId, toMediaId } from '../../vocabulary/ids.ts'
import { type ZipRecord, zipObjects } from './zip.ts'

/** A file of a zip, in one of the folders that hold it. */
export interface ZippedFile {
  mediaId: MediaId
  contents: ContentsId
  version: number
}

/** Bytes of one file: three numbers of 32 bits. */
const FILE_BYTES = 12

/** Stores which files a zip holds: what a request compares with what changed since. */
export async function storeContents(
  { media }: { media: Pick<Objects, 'put'> },
  { jobId }: ZipRecord,
  files: readonly ZippedFile[],
): Promise<void> {
  const bytes = Buffer.alloc(files.length * FILE_BYTES)
  for (const [index, { mediaId, contents, version }] of files.entries()) {
    const at = index * FILE_BYTES
    bytes.writeUInt32LE(mediaId, at)
    bytes.writeUInt32LE(contents, at + 4)
    bytes.writeUInt32LE(version, at + 8)
  }
  await media.put(zipObjects.contents(jobId), bytes, { contentType: 'application/octet-stream' })
}

/** Of some files in which folders a zip holds them, by contents ids, and at which versions. Undefined when that isn't known. */
export async function zippedVersions(
  library: { media: Pick<ObjectReader, 'get'> },
  zip: ZipRecord,
  mediaIds: ReadonlySet<number>,
): Promise<Map<number, Map<number, number>> | undefined> {
  const files = await readContents(library, zip)
  if (!files) return undefined
  const found = new Map<number, Map<number, number>>()
  for (const { mediaId, contents, version } of files) {
    if (!mediaIds.has(mediaId)) continue
    const versions = found.get(mediaId) ?? new Map<number, number>()
    found.set(mediaId, versions.set(contents, version))
  }
  return found
}

/** The files that a zip holds. Undefined when that isn't known. */
export async function readContents(
  { media }: { media: Pick<ObjectReader, 'get'> },
  { jobId }: ZipRecord,
): Promise<Iterable<ZippedFile> | undefined> {
  const body = await media.get(zipObjects.contents(jobId)).catch((error: unknown) => {
    if (error instanceof ObjectMissing) return undefined
    throw error
  })
  return body && filesIn(Buffer.concat(await body.stream.toArray()))
}

function* filesIn(bytes: Buffer): Generator<ZippedFile> {
  for (let at = 0; at < bytes.length; at += FILE_BYTES) {
    const [mediaId, contents] = [toMediaId(bytes.readUInt32LE(at)), toContentsId(bytes.readUInt32LE(at + 4))]
    yield { mediaId, contents, version: bytes.readUInt32LE(at + 8) }
  }
}
