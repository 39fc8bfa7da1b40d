import { type Due, dueKeys, dueTime } from '../due.ts'
import { zipJob } from '../zips/job.ts'
import { type ZipRecord, zipKey } from '../zips/zip.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Zips are made within minutes, very large ones within hours: after a day something is stuck. Removal comes every hour. */
const ENDED_WITHIN_MS = 86_400_000

/** The job in a key: `zips/<job>/…`. */
const zipObject = /^zips\/(?<jobId>[^/]+)\//

/** Whether an object lies where those of zips do. */
export const isZipObject = (object: string): boolean => zipObject.test(object)

const zipOf = (object: string) => zipKey(zipObject.exec(object)?.groups?.jobId ?? '')

/** Yields the problems of the record of a zip. */
export async function* checkZip({ table, media, clock }: Library, zip: ZipRecord): AsyncGenerator<Problem> {
  if (zip.state === 'PENDING' && !(await zipJob.find({ table }, zip.jobId))) yield problem('zip_without_job', idsOf(zip))
  yield* problemsOf(zip, clock.now())
  const { archive } = zip
  if (media && archive !== undefined && !(await media.head(archive))) yield problem('zip_not_stored', { ...idsOf(zip), object: archive })
}

/** Yields the problems of an object that lies where those of zips do. */
export async function* checkZipObject({ table, media }: Library, object: string): AsyncGenerator<Problem> {
  if (!(await table.get(zipOf(object))) && (await media?.head(object))) yield problem('zip_unrecorded', { object })
}

const expiring = new Set(dueKeys('ZIP'))

function* problemsOf(zip: ZipRecord & Partial<Due>, now: number): Generator<Problem> {
  const { state, asked, dueKey, dueAt } = zip
  const late = dueTime(now - ENDED_WITHIN_MS)
  if (state === 'PENDING') {
    if (dueTime(asked) < late) yield problem('zip_stuck', idsOf(zip))
  } else if (dueKey === undefined || !expiring.has(dueKey) || dueAt === undefined) yield problem('zip_due_wrong', idsOf(zip))
  else if (dueAt < late) yield problem('zip_not_expired', idsOf(zip))
}

function idsOf({ companyId: company_id, folderId: folder_id }: ZipRecord) {
  return { company_id, folder_id }
}
