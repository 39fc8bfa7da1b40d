import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { JobKind } from '../jobs/job.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { type CopyName, type CopyRecord, copiesOf, copyKey } from './copies.ts'

/** Life of a copy after a newer version of its file has one. Longer than that of a URL. */
const SUPERSEDED_MS = 10 * 60_000

/** Removes a copy at its end. */
export const expiryJob = new JobKind<CopyName & { key: string }>('expire-download')

/** The subject of the job: the attempt to make a copy. */
export const expirySubject = ({ mediaId, key }: { mediaId: MediaId; key: string }): string =>
  `${mediaId}.${key.slice(key.lastIndexOf('/') + 1)}`

/** The write that asks for the removal of a copy. It comes before the object, so an object that no record names is removed, too. */
export function askForExpiry(library: Pick<Writing, 'clock' | 'by'>, copy: CopyRecord): Operation {
  const { companyId, mediaId, version, variant, key, until } = copy
  return expiryJob.ask(library, { companyId, subject: expirySubject(copy), input: { mediaId, version, variant, key }, at: until })
}

/** Lets copies of older versions end once no URL of them is valid. */
export async function supersedeOlder(library: Writing, mediaId: MediaId): Promise<void> {
  const { table, clock } = library
  const copies = await copiesOf(library, mediaId)
  const newest = Math.max(...copies.map(({ version }) => version))
  const until = clock.now() + SUPERSEDED_MS
  const older = copies.filter((copy) => copy.version < newest && copy.until > until)
  await Promise.all(
    older.map((copy) => {
      const { pk, sk, key } = copy
      const earlier = { update: { pk, sk }, changes: { set: { until } }, if: { key: { equals: key } } }
      return held(table.transact({ copy: earlier, expiry: askForExpiry(library, { ...copy, until }) }))
    }),
  )
}

interface Removing extends Pick<Writing, 'table' | 'clock'> {
  media: Pick<Objects, 'delete'>
}

/** Removes a copy, its record first, unless a use has renewed it. Idempotent. @returns when to look again */
export async function expireCopy({ table, clock, media }: Removing, copy: CopyName & { key: string }): Promise<Again | undefined> {
  const { key } = copy
  const found = await table.get<CopyRecord>(copyKey(copy))
  if (found?.key === key) {
    const { pk, sk, until } = found
    const left = until - clock.now()
    if (left > 0) return { inSeconds: left / 1_000 }
    if (!(await held(table.delete({ pk, sk }, { key: { equals: key }, until: { equals: until } })))) return {}
  }
  await media.delete([key])
  return undefined
}
