import type { Key, TableReader } from '../../backends/table/port.ts'
import { everyItem } from '../pages.ts'
import { type JobRecord, jobIdIn, kindIn } from './job.ts'
import { FAILED, type JobState, LATER, RUNNING, stateOf, waitingKey } from './states.ts'

/** Records read at a time. */
const AT_A_TIME = 100

/** The jobs of these kinds in a state, in the order of the index. Reads the partition that all kinds share only once. */
export async function* jobsIn(library: { table: TableReader }, state: JobState, kinds: readonly string[]): AsyncGenerator<JobRecord> {
  if (state === 'waiting') for (const kind of kinds) yield* jobsOf(library, state, waitingKey(kind))
  else yield* jobsOf(library, state, { later: LATER, running: RUNNING, failed: FAILED }[state], new Set(kinds))
}

/** The failed jobs of all kinds, ordered by kind, then by time of the next attempt. */
export function failedJobs(library: { table: TableReader }): AsyncGenerator<JobRecord> {
  return jobsOf(library, 'failed', FAILED)
}

async function* jobsOf(
  { table }: { table: TableReader },
  state: JobState,
  partition: string,
  kinds?: ReadonlySet<string>,
): AsyncGenerator<JobRecord> {
  const keys: Key[] = []
  const read = async () => (await table.getMany<JobRecord>(keys.splice(0))).filter((job) => stateOf(job) === state)
  for await (const { pk, sk } of everyItem<Key>(table, { index: 'trashDue', pk: partition })) {
    if (!kinds || kinds.has(kindIn(jobIdIn({ pk })))) keys.push({ pk, sk })
    if (keys.length === AT_A_TIME) yield* await read()
  }
  yield* await read()
}
