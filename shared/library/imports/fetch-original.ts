import type { ConsumedObjects } from '../../backends/objects/port.ts'
import { readInOrder } from '../../backends/objects/ranged-reading.ts'
import { type Digest, digestOf, saveWithDigest } from '../../tools/digest.ts'
import { writeOutline } from '../../tools/outline.ts'
import type { DigestObject } from '../jobs/digest-in-runs.ts'

/** Larger files are never fetched whole, because a function has 10 GiB of disk. Rendered pictures are always smaller. */
export const WHOLE_BYTES = 2 * 1024 ** 3

/** What an import has of a file: the file itself or its outline, and what is known of its bytes. */
export interface Fetched {
  digest: Digest
  etag: string
  isOutline: boolean
}

/** Fetches a file for inspection: whole, or only the outline of a large one. @returns undefined if time ran out */
export async function fetchOriginal(
  uploads: ConsumedObjects,
  key: string,
  path: string,
  digestObject: DigestObject,
): Promise<Fetched | undefined> {
  const { stream, etag, bytes } = await uploads.get(key)
  if (bytes <= WHOLE_BYTES) return { digest: await saveWithDigest(stream, path), etag, isOutline: false }
  stream.destroy()
  const object = { key, etag, bytes }
  const digest = await digestObject(uploads, object)
  if (!digest) return undefined
  await writeOutline(path, bytes, (start, end) => readInOrder(uploads, object, { start, end }))
  return { digest, etag, isOutline: true }
}

/** Digests a file in one go. */
export const digestAtOnce: DigestObject = (objects, object) => digestOf(readInOrder(objects, object))
