import type { Key, Query, TableReader } from '../../backends/table/port.ts'
import { everyItem } from '../pages.ts'
import { isOfKind, type JobRecord } from './job.ts'
import { FAILED, type JobState, LATER, RUNNING, stateOf, waitingKey } from './states.ts'

/** Records read at a time. */
const AT_A_TIME = 100

/** The jobs of a kind in a state, in the order of the index. */
export function jobsIn(library: { table: TableReader }, state: JobState, kind: string): AsyncGenerator<JobRecord> {
  const part = {
    waiting: { pk: waitingKey(kind) },
    later: { pk: LATER },
    running: { pk: RUNNING },
    failed: { pk: FAILED, sk: { beginsWith: `${kind}#` } },
  }[state]
  return jobsOf(library, state, part, kind)
}

/** The failed jobs of all kinds, ordered by kind, then by time of the next attempt. */
export function failedJobs(library: { table: TableReader }): AsyncGenerator<JobRecord> {
  return jobsOf(library, 'failed', { pk: FAILED })
}

async function* jobsOf(
  { table }: { table: TableReader },
  state: JobState,
  part: Pick<Query, 'pk' | 'sk'>,
  kind?: string,
): AsyncGenerator<JobRecord> {
  const keys: Key[] = []
  const read = async () => (await table.getMany<JobRecord>(keys.splice(0))).filter((job) => stateOf(job) === state)
  for await (const { pk, sk } of everyItem<Key>(table, { index: 'trashDue', ...part })) {
    if (isOfKind({ pk }, kind)) keys.push({ pk, sk })
    if (keys.length === AT_A_TIME) yield* await read()
  }
  yield* await read()
}
