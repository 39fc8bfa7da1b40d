import type { ObjectReader } from '../../backends/objects/port.ts'
import { type FixedObject, readInOrder } from '../../backends/objects/ranged-reading.ts'
import type { Table } from '../../backends/table/port.ts'
import { timeLeft } from '../../deadline.ts'
import type { Digest } from '../../tools/digest.ts'
import { type DigestState, ResumableDigest } from '../../tools/resumable-digest.ts'
import { type JobInHand, note } from './run.ts'

/** Bytes after which the state is stored. At most this many are read again after a crash. */
const NOTED_BYTES = 1024 ** 3

/** Time of a run reserved for what follows the digest, in milliseconds: storage copies 100 GiB at 360 MB/s. */
const REST_MS = 300_000

/**
 * Computes the digest of an object.
 * @returns undefined if time ran out and another run must continue
 * @throws ObjectChanged, ObjectMissing, ObjectsUnavailable
 */
export type DigestObject = (objects: ObjectReader, object: FixedObject) => Promise<Digest | undefined>

/** The cursor of a job that digests an object. */
type DigestCursor = DigestState & Pick<FixedObject, 'etag'>

/**
 * Digests an object of any size: each run of the job reads as much as time allows and continues from the stored state. Starts over if the
 * object was replaced. Each run makes progress, however little time it has.
 * @param job must have no other cursor. The digest throws `LeaseLost` if the run has lost the job
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
