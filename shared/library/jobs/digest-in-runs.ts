import type { ObjectReader } from '../../backends/objects/port.ts'
import { type FixedObject, readInOrder } from '../../backends/objects/ranged-reading.ts'
import type { Table } from '../../backends/table/port.ts'
import { timeLeft } from '../../deadline.ts'
import type { Digest } from '../../tools/digest.ts'
import { type DigestState, ResumableDigest } from '../../tools/resumable-digest.ts'
import { type JobInHand, note } from './run.ts'

/** Bytes after which the state is noted: so many are read again after a crash. */
const NOTED_BYTES = 1024 ** 3

/** Milliseconds of a run that are kept for what follows the digest: storage copies 100 GiB at 360 MB/s. */
const REST_MS = 300_000

/**
 * Reads an object for its digest.
 * @returns undefined where the time is over, and another run goes on
 * @throws ObjectChanged, ObjectMissing, ObjectsUnavailable
 */
export type DigestObject = (objects: ObjectReader, object: FixedObject) => Promise<Digest | undefined>

/** The cursor of a job that digests an object. */
type DigestCursor = DigestState & Pick<FixedObject, 'etag'>

/**
 * Digests an object of any size: each run of the job reads as much as it has time for, and goes on where the one before was, or where its last note
 * was if that one died. A replaced object is read anew. Each run makes progress, however little time it has.
 * @param job has no other cursor. The digest throws `LeaseLost` where the run has it no more
 */
export function digestInRuns(library: { table: Table }, job: Pick<JobInHand, 'cursor' | 'noting'>): DigestObject {
  let cursor = job.cursor as DigestCursor | undefined
  return async (objects, object) => {
    const { etag, bytes: total } = object
    const digest = await ResumableDigest.from(cursor?.etag === etag ? cursor : undefined)
    let noted = digest.bytes
    for await (const piece of readInOrder(objects, object, { start: noted, end: total })) {
      digest.update(piece)
      const isOutOfTime = timeLeft() < REST_MS
      if (isOutOfTime || digest.bytes === total || digest.bytes - noted >= NOTED_BYTES) {
        cursor = { ...digest.state(), etag }
        noted = digest.bytes
        await note(library, job, { cursor, done: noted, total })
      }
      if (isOutOfTime) return undefined
    }
    return digest.end()
  }
}
