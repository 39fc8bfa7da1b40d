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

/** Longer than any exchange takes, in milliseconds. An exchange that has read the former setting asks for no sweep by the new one, and is in the feed by then. */
const LONGEST_EXCHANGE_MS = 60_000

/** Sets how many numbers of a file a company keeps, and asks for the sweep of its files. @param keep 1 to 1,000 */
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

/** A place in the company's change feed. */
type Position = { shard: number; page: string | null }

/**
 * Asks for a sweep of each file of a company that has had more numbers than it keeps.
 * @param milliseconds after which the run ends @returns that another run must continue; undefined when done
 */
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
