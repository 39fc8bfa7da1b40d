import type { Calls } from '../../../infra/cost/counted.ts'
import type { Backend } from '../../../shared/resources.ts'
import { meteredTable } from './metered-table.ts'

export const newMeter = (): Calls => ({ readUnits: 0, writeUnits: 0, objectReads: 0, objectWrites: 0, searches: 0, mails: 0 })

/** Calls of buckets by what S3 bills them as. All other methods ask for nothing, or for what is free. */
const billedCalls: Readonly<Record<string, 'objectReads' | 'objectWrites'>> = {
  ...Object.fromEntries(['head', 'get', 'fetch'].map((name) => [name, 'objectReads'])),
  ...Object.fromEntries(
    // A listing is billed as a write.
    ['list', 'put', 'putFile', 'copy', 'beginComposition', 'completeComposition', 'beginParts', 'receivedParts', 'joinParts'].map(
      (name) => [name, 'objectWrites'],
    ),
  ),
}

const buckets = ['uploads', 'partUploads', 'media', 'publicFiles', 'profileImages', 'snapshotFiles'] as const

/** A backend of one machine that counts what the same calls are billed as on AWS. @param wake is told of the kinds of jobs that are woken */
export function meteredBackend(backend: Backend, meter: Calls, waker: Backend['waker']): Backend {
  const table = meteredTable(backend.table, meter)
  // The buckets themselves, because they copy objects among themselves; several ports are one bucket.
  for (const bucket of new Set<object>(buckets.map((name) => backend[name]))) countCalls(bucket, meter)
  return {
    ...backend,
    table,
    sessions: table,
    snapshotJobs: table,
    search: {
      search(...asked) {
        meter.searches += 1
        return backend.search.search(...asked)
      },
      countFiles(...asked) {
        meter.searches += 1
        return backend.search.countFiles(...asked)
      },
    },
    mail: {
      send(email) {
        meter.mails += 1
        return backend.mail.send(email)
      },
    },
    waker,
  }
}

/** From now on the calls of a bucket are counted. */
function countCalls(bucket: object, meter: Calls): void {
  for (const [name, unit] of Object.entries(billedCalls)) {
    const call: unknown = Reflect.get(bucket, name)
    if (typeof call !== 'function') continue
    Reflect.set(bucket, name, (...given: unknown[]) => {
      meter[unit] += 1
      return call.apply(bucket, given)
    })
  }
}
