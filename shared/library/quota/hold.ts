import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { QuotaExceeded } from '../errors.ts'
import type { Writing } from '../library.ts'
import { isoTime } from '../time.ts'
import { type HeldFile, heldFilesJob, heldKey } from './held-files.ts'
import { takenOf, type UploadInNeed } from './quota.ts'
import { noteFilling } from './steps.ts'

/** Seconds for which a file waits for room. */
export const HELD_SECONDS = 7 * 86_400

/** An upload by its record. */
type Holding = Key & UploadInNeed & Pick<HeldFile, 'key'>

/**
 * Makes a file of an upload. Where its company's quota has no room, the upload is held: it stays for 7 days, and becomes a file when there is.
 * @param upload with the key of its object
 * @param lifetime what to set in the record of an upload that is held
 * @param make throws QuotaExceeded where there is no room
 * @throws QuotaExceeded, and what `make` throws
 */
export async function makeOrHold(
  library: Writing,
  upload: Holding,
  lifetime: { expires: number },
  make: () => Promise<MediaId>,
): Promise<MediaId> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof QuotaExceeded)) throw error
    return hold(library, upload, lifetime, error.details.quota_bytes)
  }
}

/** @returns the file that another request has made @throws QuotaExceeded */
async function hold(library: Writing, upload: Holding, lifetime: { expires: number }, quotaBytes: number): Promise<MediaId> {
  // At once, also in a request whose writes are deferred: a refusal doesn't undo it.
  const committed = { ...library, table: library.table.origin ?? library.table }
  const { table, clock, by } = committed
  const { pk, sk, companyId, uploadId, bytes, key } = upload
  const file: HeldFile = { ...heldKey(companyId, uploadId), uploadId, bytes, key, since: clock.now(), by }
  const isNew = await held(
    table.transact({
      upload: { update: { pk, sk }, changes: { set: lifetime }, if: { pk: { exists: true }, mediaId: { exists: false } } },
      file: { put: file, if: { pk: { exists: false } } },
      job: heldFilesJob.ask(committed, { companyId, subject: String(companyId), input: null }),
    }),
  )
  if (isNew) await noteFilling(committed, companyId, await takenOf(committed, companyId), quotaBytes)
  else {
    const made = await table.get<Key & { mediaId?: MediaId }>({ pk, sk })
    if (made?.mediaId !== undefined) return made.mediaId
  }
  const { since } = isNew ? file : ((await table.get<HeldFile>(heldKey(companyId, uploadId))) ?? file)
  throw new QuotaExceeded(quotaBytes, isoTime(since + HELD_SECONDS * 1000))
}
