import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'

/** An upload that waits for room in the quota of its company. */
export type HeldFile = Key & {
  uploadId: string
  bytes: number
  /** Object in the `uploads` bucket. */
  key: string
  /** When it began to wait, in UNIX milliseconds. */
  since: number
  /** Who uploaded it. */
  by: Actor
}

const PREFIX = 'HELD#'

export const heldKey = (companyId: CompanyId, uploadId: string): Key => ({ pk: `COMPANY#${companyId}`, sk: `${PREFIX}${uploadId}` })

/** A company's held uploads, oldest first. */
export async function heldIn({ table }: Reading, companyId: CompanyId): Promise<HeldFile[]> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith: PREFIX }, consistent: true }
  return (await Array.fromAsync(everyItem<HeldFile>(table, query))).sort((a, b) => a.since - b.since)
}

/** Finalizes a company's held uploads as soon as its quota has room. The subject is the company. */
export const heldFilesJob = new JobKind<null>('finalize-held-files')
