import type { Key, Query, TableReader } from '../../../shared/backends/table/port.ts'
import { listCompanies } from '../../../shared/library/accounts/companies.ts'
import { jobIdIn, kindIn } from '../../../shared/library/jobs/job.ts'
import { countFailed } from '../../../shared/library/jobs/operator.ts'
import { RUNNING, waitingKey } from '../../../shared/library/jobs/states.ts'
import { feedKeys } from '../../../shared/library/media/change-feed.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import type { EmbeddedBackend } from './embedded-backend.ts'

/** Users and files are counted up to here: a start must not read a whole library. */
const MOST = 10_000

/** What a data folder holds, as one line for the operator. @param kinds of jobs @returns undefined when there is no company yet */
export async function librarySummary({ table }: Pick<EmbeddedBackend, 'table'>, kinds: readonly string[]): Promise<string | undefined> {
  const companies = await listCompanies({ table })
  if (companies.length === 0) return undefined
  const partitions = companies.map(({ companyId }) => ({ pk: `COMPANY#${companyId}`, sk: { beginsWith: 'USER#' } }))
  const shards = companies.flatMap(({ companyId }) => feedKeys(companyId)).map((pk) => ({ pk, index: 'changeFeed' as const }))
  const waiting = [...kinds.map(waitingKey), RUNNING].map((pk) => ({ pk, index: 'trashDue' as const }))
  const failed = (await countFailed({ table })).values().reduce((total, count) => total + count, 0)
  return [
    counted(companies.length, 'company', 'companies'),
    counted(await count(table, partitions, () => true), 'user', 'users'),
    counted(await count(table, shards, ({ sk }) => sk === 'MEDIA'), 'file', 'files'),
    counted(await count(table, waiting, (job) => kinds.includes(kindIn(jobIdIn(job)))), 'job waiting', 'jobs waiting'),
    ...(failed > 0 ? [counted(failed, 'failed job to be tried again', 'failed jobs to be tried again')] : []),
  ].join(', ')
}

/** Counts the items of several queries whose key fits, up to `MOST`. */
async function count(table: TableReader, queries: readonly Omit<Query, 'cursor'>[], fits: (key: Key) => boolean): Promise<number> {
  let found = 0
  for (const query of queries) {
    for await (const item of everyItem(table, query)) {
      if (fits(item)) found += 1
      if (found > MOST) return found
    }
  }
  return found
}

function counted(number: number, one: string, many: string): string {
  if (number > MOST) return `more than ${MOST} ${many}`
  return `${number} ${number === 1 ? one : many}`
}
