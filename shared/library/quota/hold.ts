import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { QuotaExceeded } from '../errors.ts'
import type { Writing } from '../library.ts'
import { isoTime } from '../time.ts'
import { type HeldFile, heldFilesJob, heldKey } from './held-files.ts'
import { takenOf, type UploadInNeed } from './quota.ts'
import { noteFilling } from './steps.ts'

/** How long an upload waits for room, in seconds. */
export const HELD_SECONDS = 7 * 86_400

/** An upload by its record. */
type Holding = Key & UploadInNeed & Pick<HeldFile, 'key'>

/**
 * Makes a file of an upload. If the company's quota has no room, the upload is held: it is kept for 7 days and becomes a file as soon as
 * there is room.
 * @param upload with the key of its object
 * @param lifetime what to set in the record of a held upload
 * @param make throws QuotaExceeded if there is no room
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

/** @returns the file, if another request has made it @throws QuotaExceeded */
async function hold(library: Writing, upload: Holding, lifetime: { expires: number }, quotaBytes: number): Promise<MediaId> {
  // Bypasses deferred writes: the refusal that follows must not undo this one.
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
