import type { Clock } from '../../backends/clock/port.ts'
import {
  ComparisonUnfinished,
  CompositionMissing,
  type ConsumedObjects,
  InvalidParts,
  type PartUploads,
  type ReadMd5,
  WrongMd5,
} from '../../backends/objects/port.ts'
import { ConditionFailed, type Operations, type Table } from '../../backends/table/port.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { LibraryError } from '../errors.ts'
import type { Again } from '../jobs/run.ts'
import { fingerprintOf, makeFileOrHold } from './complete-parts.ts'
import { isOpen, type PartUploadRecord, receivedOf } from './part-upload.ts'
import { replaceBy, sentInParts } from './replace.ts'
import { stillAllowed, uploadKey } from './uploads.ts'

/** Dependencies of a comparison. */
interface Comparing {
  table: Table
  clock: Clock
  partUploads: Pick<PartUploads, 'receivedParts' | 'joinParts'>
  uploads: ConsumedObjects
}

/**
 * Compares the parts of an upload with the client's MD5, and makes the file where they match. Idempotent, also after a crash. Otherwise it reopens
 * the upload, and records the mismatch for the next try to complete it. An upload that may not be completed any more is reopened too.
 * @param by who completed the upload
 * @param readMd5 reads the joined parts; at once by default
 * @returns that another run goes on, where the time was over; undefined when none has to
 */
export async function compareUpload(library: Comparing, uploadId: string, by: Actor, readMd5?: ReadMd5): Promise<Again | undefined> {
  const { table, clock } = library
  const upload = await table.get<PartUploadRecord>(uploadKey(uploadId))
  if (upload?.comparing === undefined || upload.mediaId !== undefined || upload.hasEnded) return undefined
  const outcome = await compare(library, upload, upload.comparing, readMd5)
  if (outcome !== 'same') return outcome === 'unfinished' ? {} : undefined
  try {
    if ('replaces' in upload) await replaceBy({ ...library, by }, upload, sentInParts(upload, { md5: upload.comparing }))
    else await makeFileOrHold({ table, clock, by }, upload, await stillAllowed(library, upload))
  } catch (error) {
    // The next try to complete it reports the reason.
    if (error instanceof LibraryError) await changeOpen(library, uploadId, { set: { compared: upload.comparing }, remove: ['comparing'] })
    else if (!(error instanceof ConditionFailed)) throw error
  }
  return undefined
}

/** Joins the parts if they have this MD5. Reopens the upload if they have another one, or have changed. */
async function compare(
  library: Comparing,
  upload: PartUploadRecord,
  md5: string,
  readMd5: ReadMd5 | undefined,
): Promise<'same' | 'reopened' | 'unfinished'> {
  const { partUploads } = library
  const remove = ['isFinalizing', 'comparing']
  try {
    await partUploads.joinParts(upload.parts, (await receivedOf(library, upload)) ?? [], md5, readMd5)
    return 'same'
  } catch (error) {
    if (error instanceof ComparisonUnfinished) return 'unfinished'
    if (error instanceof WrongMd5) {
      const parts = fingerprintOf(await partUploads.receivedParts(error.upload))
      await changeOpen(library, upload.uploadId, { set: { parts: error.upload, mismatch: { md5, parts } }, remove })
    } else if (error instanceof InvalidParts || error instanceof CompositionMissing) {
      // Parts have changed meanwhile. The next try to complete it compares them.
      await changeOpen(library, upload.uploadId, { remove })
    } else throw error
    return 'reopened'
  }
}

async function changeOpen({ table }: Comparing, uploadId: string, changes: Parameters<Table['update']>[1]): Promise<void> {
  await held(table.update(uploadKey(uploadId), changes, isOpen))
}

/** The write that cancels a comparison. The next try to complete the upload asks for another. */
export async function comparisonCancelled({ table }: Pick<Comparing, 'table'>, uploadId: string): Promise<Operations> {
  const upload = await table.get<PartUploadRecord>(uploadKey(uploadId))
  if (upload?.comparing === undefined) return {}
  return { upload: { update: uploadKey(uploadId), changes: { remove: ['comparing'] }, if: { pk: { exists: true } } } }
}
