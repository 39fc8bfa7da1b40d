import type * as Prometheus from 'prom-client'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { freeSpace } from '../../../shared/backends/disk/free-space.ts'
import type { DeadChanges } from '../../../shared/backends/table/embedded-dead-letters.ts'
import type { TableReader } from '../../../shared/backends/table/port.ts'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import { states } from '../../../shared/library/jobs/states.ts'
import { Gauge, Registry } from './prometheus.ts'

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

/** What waits, what failed, and what room there is, in Prometheus' text format. */
export async function stateText(state: ServerState): Promise<string> {
  const { dataDirectory, deadChanges } = state
  const registry = new Registry()
  const tell = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value)
  await tellBacklog(state, registry)
  const letters = new Gauge({
    name: 'media_library_dead_letters',
    help: 'Dead letters, which are tried again later.',
    labelNames: ['queue'],
    registers: [registry],
  })
  letters.set({ queue: 'changes' }, deadChanges.count().count)
  tell('media_library_disk_free_bytes', 'Free bytes on the disk of the data folder.', freeSpace(dataDirectory))
  const made = state.lastBackup()
  if (made) tell('media_library_last_backup_timestamp_seconds', 'When the newest backup was made.', made.getTime() / 1000)
  tell('process_resident_memory_bytes', 'Memory of the server.', process.memoryUsage().rss)
  tell('process_uptime_seconds', 'Time since the start of the server.', process.uptime())
  return registry.metrics()
}

async function tellBacklog({ table, kinds, clock }: ServerState, registry: Prometheus.Registry): Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const counts = gauge('media_library_jobs', `Jobs that are not done, up to ${MOST} of a kind and state.`, ['kind', 'state'])
  const ages = gauge('media_library_oldest_waiting_job_seconds', 'How long the oldest job that may run has waited.', ['kind'])
  const ofCompanies = gauge('media_library_company_jobs', 'Jobs of a company that are not done.', ['company'])
  for (const kind of kinds) {
    let oldest: number | undefined
    for (const state of states) {
      let count = 0
      for await (const { companyId, askedAt } of jobsIn({ table }, state, kind)) {
        count += 1
        ofCompanies.inc({ company: companyId })
        if (state === 'waiting') oldest = Math.min(oldest ?? askedAt, askedAt)
        if (count === MOST) break
      }
      counts.set({ kind, state }, count)
    }
    ages.set({ kind }, oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1000)
  }
}
