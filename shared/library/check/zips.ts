import { zipExpiryJob, zipJob } from '../zips/job.ts'
import { type ZipRecord, zipKey } from '../zips/zip.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Zips are made within minutes, very large ones within hours: after a day something is stuck. */
const ENDED_WITHIN_MS = 86_400_000

/** The job in a key: `zips/<job>/…`. */
const zipObject = /^zips\/(?<jobId>[^/]+)\//

/** Whether an object lies where those of zips do. */
export const isZipObject = (object: string): boolean => zipObject.test(object)

const zipOf = (object: string) => zipKey(zipObject.exec(object)?.groups?.jobId ?? '')

/** Yields the problems of the record of a zip. */
export async function* checkZip({ table, media, clock }: Library, zip: ZipRecord): AsyncGenerator<Problem> {
  const { state, jobId, asked, archive } = zip
  if (state === 'PENDING') {
    if (!(await zipJob.find({ table }, jobId))) yield problem('zip_without_job', idsOf(zip))
    if (asked < clock.now() - ENDED_WITHIN_MS) yield problem('zip_stuck', idsOf(zip))
  } else if (!(await zipExpiryJob.find({ table }, jobId))) yield problem('zip_without_expiry', idsOf(zip))
  if (media && archive !== undefined && !(await media.head(archive))) yield problem('zip_not_stored', { ...idsOf(zip), object: archive })
}

/** Yields the problems of an object that lies where those of zips do. */
export async function* checkZipObject({ table, media }: Library, object: string): AsyncGenerator<Problem> {
  if (!(await table.get(zipOf(object))) && (await media?.head(object))) yield problem('zip_unrecorded', { object })
}

function idsOf({ companyId: company_id, folderId: folder_id }: ZipRecord) {
  return { company_id, folder_id }
}
