import type { Clock } from '../../../shared/backends/clock/port.ts'
import { freeSpace } from '../../../shared/backends/disk/free-space.ts'
import type { DeadChanges } from '../../../shared/backends/table/embedded-dead-letters.ts'
import type { TableReader } from '../../../shared/backends/table/port.ts'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import { states } from '../../../shared/library/jobs/states.ts'
import { type Gauge, gaugeText, type Sample } from './exposition.ts'

/** Jobs of a kind in a state that are counted: a long backlog is not read whole each time. */
const MOST = 10_000

export interface ServerState {
  dataDirectory: string
  table: TableReader
  deadChanges: DeadChanges
  /** Kinds of jobs. */
  kinds: readonly string[]
  clock: Clock
  /** When the last backup was made; undefined where there is none, or the server makes none. */
  lastBackup(): Date | undefined
}

/** What waits, what failed, and what room there is, as text of gauges. */
export async function stateText(state: ServerState): Promise<string> {
  const { dataDirectory, deadChanges, lastBackup } = state
  const made = lastBackup()
  const memory = process.memoryUsage()
  const gauges: Gauge[] = [
    ...(await backlog(state)),
    {
      name: 'media_library_dead_letters',
      help: 'Dead letters, which are tried again later.',
      samples: [{ labels: { queue: 'changes' }, value: deadChanges.count().count }],
    },
    {
      name: 'media_library_disk_free_bytes',
      help: 'Free bytes on the disk of the data folder.',
      samples: [{ value: freeSpace(dataDirectory) }],
    },
    {
      name: 'media_library_last_backup_timestamp_seconds',
      help: 'When the newest backup was made.',
      samples: made ? [{ value: made.getTime() / 1000 }] : [],
    },
    { name: 'process_resident_memory_bytes', help: 'Memory of the server.', samples: [{ value: memory.rss }] },
    { name: 'process_uptime_seconds', help: 'Time since the start of the server.', samples: [{ value: process.uptime() }] },
  ]
  return gauges.map(gaugeText).join('')
}

async function backlog({ table, kinds, clock }: ServerState): Promise<Gauge[]> {
  const counts: Sample[] = []
  const ages: Sample[] = []
  const ofCompanies = new Map<number, number>()
  for (const kind of kinds) {
    let oldest: number | undefined
    for (const state of states) {
      let value = 0
      for await (const { companyId, askedAt } of jobsIn({ table }, state, kind)) {
        value += 1
        ofCompanies.set(companyId, (ofCompanies.get(companyId) ?? 0) + 1)
        if (state === 'waiting') oldest = Math.min(oldest ?? askedAt, askedAt)
        if (value === MOST) break
      }
      counts.push({ labels: { kind, state }, value })
    }
    ages.push({ labels: { kind }, value: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1000 })
  }
  return [
    { name: 'media_library_jobs', help: `Jobs that are not done, up to ${MOST} of a kind and state.`, samples: counts },
    { name: 'media_library_oldest_waiting_job_seconds', help: 'How long the oldest job that may run has waited.', samples: ages },
    {
      name: 'media_library_company_jobs',
      help: 'Jobs of a company that are not done.',
      samples: [...ofCompanies].map(([company, value]) => ({ labels: { company }, value })),
    },
  ]
}
