import type { CompanyId } from '../../vocabulary/ids.ts'
import { companyKey, versionsKept } from '../accounts/companies.ts'
import { timer } from '../concurrency/wait-for.ts'
import { JobKind } from '../jobs/job.ts'
import type { Again, JobInHand } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { feedKeys, pageOfFiles } from '../media/change-feed.ts'
import { sweepJob } from '../media/sweep-job.ts'

/** Has all files of a company swept. */
export const companySweepJob = new JobKind<Record<string, never>>('sweep-company')

/** No request takes as long, in milliseconds. So what was exchanged while the company kept more is in the feed, or looks at the new number. */
const LONGEST_EXCHANGE_MS = 60_000

/** Says how many numbers of a file a company keeps, and asks for the sweep of its files. @param keep 1 to 1,000 */
export async function setVersionsKept(library: Writing, companyId: CompanyId, keep: number): Promise<void> {
  const { table, clock, by } = library
  const at = clock.now() + LONGEST_EXCHANGE_MS
  await table.transact({
    company: { update: companyKey(companyId), changes: { set: { versionsKept: keep, by } }, if: { pk: { exists: true } } },
    sweep: companySweepJob.ask(library, { companyId, subject: String(companyId), input: {}, at }),
  })
}

/** Files of one transaction, which also notes how far the job is. */
const PAGE = 99

/** The shard of the feed that is being read, and where. */
type Position = { shard: number; page: string | null }

/** Asks for the sweep of the files of a company that have had more numbers than it keeps, as far as the run has time. */
export async function sweepCompany(
  library: Writing,
  companyId: CompanyId,
  job: JobInHand,
  milliseconds: number,
): Promise<Again | undefined> {
  const { table } = library
  const isOver = timer(milliseconds)
  const shards = feedKeys(companyId)
  const keep = await versionsKept(library, companyId)
  let { shard, page } = (job.cursor as Position | undefined) ?? { shard: 0, page: null }
  while (shard < shards.length) {
    if (isOver()) return {}
    const { files, cursor } = await pageOfFiles(library, shards[shard]!, page ?? undefined, PAGE)
    const wanted = files.filter(({ lastNumber = 1 }) => lastNumber > keep)
    ;[shard, page] = cursor === undefined ? [shard + 1, null] : [shard, cursor]
    await table.transact({
      job: job.noting({ cursor: { shard, page } }),
      ...Object.fromEntries(
        wanted.map(({ mediaId }) => [
          `sweep ${mediaId}`,
          sweepJob.ask(library, { companyId, subject: `${mediaId}-company`, input: { mediaId } }),
        ]),
      ),
    })
  }
  return undefined
}
