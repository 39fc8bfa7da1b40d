import { queues as allQueues, type QueueName } from '../../../shared/backends/queue/queues.ts'
import type { Query, TableReader } from '../../../shared/backends/table/port.ts'
import { listCompanies } from '../../../shared/library/accounts/companies.ts'
import { feedKeys } from '../../../shared/library/media/change-feed.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'

/** Users and files are counted up to here: a start must not read a whole library. */
const MOST = 10_000

/** What a data folder holds, as one line for the operator. @returns undefined when there is no company yet */
export async function librarySummary({
  table,
  queues,
  deadChanges,
}: Pick<EmbeddedBackend, 'table' | 'queues' | 'deadChanges'>): Promise<string | undefined> {
  const companies = await listCompanies({ table })
  if (companies.length === 0) return undefined
  const partitions = companies.map(({ companyId }) => ({ pk: `COMPANY#${companyId}`, sk: { beginsWith: 'USER#' } }))
  const shards = companies.flatMap(({ companyId }) => feedKeys(companyId)).map((pk) => ({ pk, index: 'changeFeed' as const }))
  const depths = (Object.keys(allQueues) as QueueName[]).map((name) => queues.depth(name))
  const waiting = sum(depths.map((depth) => depth.waiting))
  const failed = sum(depths.map((depth) => depth.dead)) + deadChanges.count().count
  return [
    counted(companies.length, 'company', 'companies'),
    counted(await count(table, partitions, () => true), 'user', 'users'),
    counted(await count(table, shards, (sk) => sk === 'MEDIA'), 'file', 'files'),
    counted(waiting, 'job waiting', 'jobs waiting'),
    ...(failed > 0 ? [counted(failed, 'failed job to be tried again', 'failed jobs to be tried again')] : []),
  ].join(', ')
}

/** Counts the items of several queries whose sort key fits, up to `MOST`. */
async function count(table: TableReader, queries: readonly Omit<Query, 'cursor'>[], fits: (sk: string) => boolean): Promise<number> {
  let found = 0
  for (const query of queries) {
    for await (const { sk } of everyItem(table, query)) {
      if (fits(sk)) found += 1
      if (found > MOST) return found
    }
  }
  return found
}

function counted(number: number, one: string, many: string): string {
  if (number > MOST) return `more than ${MOST} ${many}`
  return `${number} ${number === 1 ? one : many}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
