import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type ByteRange, type KnownObjects, type ObjectBody, ObjectChanged, type ObjectInfo, RangeOutside } from './port.ts'
import { translated } from './s3-errors.ts'

/** One connection to S3 brings some 90 MB a second, so larger objects come in ranges, several at a time. In bytes. */
const RANGE_BYTES = 16 * 1024 ** 2
const RANGES_AT_A_TIME = 4

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
  // All workers take from one iterator: the failure of one closes it, so the others end with the range that they are at.
  const outcomes = await Promise.allSettled(Array.from({ length: RANGES_AT_A_TIME }, work))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return object
}

/** An empty object has no ranges. */
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
  // Each range has a descriptor of its own: a stream that breaks off closes the one that it writes to.
  await translated(key, () => pipeline(stream, createWriteStream(path, { flags: 'r+', start })))
}
