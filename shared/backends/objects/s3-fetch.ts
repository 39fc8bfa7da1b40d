import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type ByteRange, type KnownObjects, type ObjectBody, ObjectChanged, type ObjectInfo, RangeOutside } from './port.ts'
import { translated } from './s3-errors.ts'

/** Size of a range, in bytes. One connection to S3 has about 90 MB/s, so larger objects are fetched in parallel ranges. */
const RANGE_BYTES = 16 * 1024 ** 2
const PARALLEL_RANGES = 4

type Reader = Pick<KnownObjects, 'get'>

/** Writes an object to a new file. @throws ObjectMissing, ObjectChanged, ObjectsUnavailable */
export async function fetchToFile(objects: Reader, key: string, path: string): Promise<ObjectInfo> {
  await writeFile(path, '', { flag: 'wx' })
  const { stream, ...object } = await firstRange(objects, key)
  await save(key, { stream }, path, 0)
  const starts = startsOfRanges(object.bytes)
  const work = async () => {
    for (const start of starts) {
      const range = await objects.get(key, { start, end: start + RANGE_BYTES - 1 })
      if (range.etag !== object.etag) {
        range.stream.destroy()
        throw new ObjectChanged(key)
      }
      await save(key, range, path, start)
    }
  }
  // All workers share one iterator. A failure closes it, so the others end after their current range.
  const outcomes = await Promise.allSettled(Array.from({ length: PARALLEL_RANGES }, work))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return object
}

/** Gets the first range; an empty object has none, so it is read whole. */
async function firstRange(objects: Reader, key: string): Promise<ObjectBody> {
  const range: ByteRange = { start: 0, end: RANGE_BYTES - 1 }
  return objects.get(key, range).catch((error: unknown) => {
    if (error instanceof RangeOutside) return objects.get(key)
    throw error
  })
}

function* startsOfRanges(bytes: number): Generator<number> {
  for (let start = RANGE_BYTES; start < bytes; start += RANGE_BYTES) yield start
}

async function save(key: string, { stream }: Pick<ObjectBody, 'stream'>, path: string, start: number): Promise<void> {
  // Each range has its own file descriptor, because a failing stream closes it.
  await translated(key, () => pipeline(stream, createWriteStream(path, { flags: 'r+', start })))
}
