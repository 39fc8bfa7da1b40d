import { createRequire } from 'node:module'
import type * as Prometheus from 'prom-client'
import type { Clock } from '../../shared/backends/clock/port.ts'
import { freeSpace } from '../../shared/backends/disk/free-space.ts'
import type { TableReader } from '../../shared/backends/table/port.ts'
import { jobsIn } from '../../shared/library/jobs/in-state.ts'
import { states } from '../../shared/library/jobs/states.ts'
import type { Log } from '../../shared/log/log.ts'
import type { RunJob } from './jobs/run-job.ts'

/** What is used of `prom-client`. All of it takes 70 ms to load, most of that for OpenTelemetry. */
const load = createRequire(import.meta.url)
const Registry: typeof Prometheus.Registry = load('prom-client/lib/registry.js')
const Gauge: typeof Prometheus.Gauge = load('prom-client/lib/gauge.js')
const Histogram: typeof Prometheus.Histogram = load('prom-client/lib/histogram.js')

/** Upper bounds of buckets, in seconds: from answers to encodes of films. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300, 1_800, 7_200]

/** What a server measures of its work, from its start on. */
export class Measures {
  readonly #registry = new Registry()
  readonly #requests = this.#histogram('request', 'Time of answers to requests of the API.', ['route', 'method', 'status'])
  readonly #runs = this.#histogram('run', 'Time of one run of work behind requests.', ['name', 'result'])
  readonly #jobs = this.#histogram('job', 'Time from when a job was asked for until it was done, waiting included.', ['kind'])
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A log whose lines on requests are measured: each answer writes one. */
  measuring(log: Log): Log {
    return {
      info: (message, fields) => {
        if (message === 'request') this.#observeRequest(fields)
        log.info(message, fields)
      },
      warn: (message, fields) => log.warn(message, fields),
      error: (message, fields) => log.error(message, fields),
      with: (fields) => this.measuring(log.with(fields)),
    }
  }

  /** Runs work, and measures it. */
  measuredRun(run: RunJob): RunJob {
    return async (consumer, input) => {
      const started = performance.now()
      const since = (result: string) => this.#runs.observe({ name: consumer.name, result }, (performance.now() - started) / 1000)
      try {
        const again = await run(consumer, input)
        since('done')
        if (again === undefined && hasJob(input))
          this.#jobs.observe({ kind: input.job.kind }, (this.#clock.now() - input.job.askedAt) / 1000)
        return again
      } catch (error) {
        since('failed')
        throw error
      }
    }
  }

  /** All that was measured, in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #histogram<Label extends string>(what: string, help: string, labelNames: Label[]): Prometheus.Histogram<Label> {
    return new Histogram({ name: `media_library_${what}_seconds`, help, labelNames, buckets: BUCKETS, registers: [this.#registry] })
  }

  #observeRequest({ route, method, status, ms }: Record<string, unknown> = {}): void {
    if (typeof ms !== 'number') return
    this.#requests.observe({ route: String(route), method: String(method), status: String(status) }, ms / 1000)
  }
}

function hasJob(input: object): input is { job: { kind: string; askedAt: number } } {
  return 'job' in input && typeof input.job === 'object' && input.job !== null && 'askedAt' in input.job
}

/** Jobs that are counted of each partition: a long backlog is not read whole each time. */
const MOST = 10_000

export interface ServerState {
  dataDirectory: string
  table: TableReader
  /** Kinds of jobs. */
  kinds: readonly string[]
  clock: Clock
  /** When the last backup was made; undefined where there is none, or the server makes none. */
  lastBackup(): Date | undefined
}

/** What waits, what failed, and what room there is, in Prometheus' text format. */
export async function stateText(state: ServerState): Promise<string> {
  const { dataDirectory } = state
  const registry = new Registry()
  const tell = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value)
  await tellBacklog(state, registry)
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
  const counts = gauge(
    'media_library_jobs',
    `Jobs that are not done, up to ${MOST} that wait of a kind, and up to ${MOST} in each other state.`,
    ['kind', 'state'],
  )
  const ages = gauge('media_library_oldest_waiting_job_seconds', 'How long the oldest job that may run has waited.', ['kind'])
  const ofCompanies = gauge('media_library_company_jobs', 'Jobs of a company that are not done.', ['company'])
  const oldest = new Map<string, number>()
  for (const kind of kinds) for (const state of states) counts.set({ kind, state }, 0)
  for (const state of states) {
    // Each kind has its own partition of jobs that wait. All kinds share one of each other state.
    for (const some of state === 'waiting' ? kinds.map((kind) => [kind]) : [kinds]) {
      let read = 0
      for await (const { kind, companyId, askedAt } of jobsIn({ table }, state, some)) {
        counts.inc({ kind, state })
        ofCompanies.inc({ company: companyId })
        if (state === 'waiting') oldest.set(kind, Math.min(oldest.get(kind) ?? askedAt, askedAt))
        if (++read === MOST) break
      }
    }
  }
  for (const kind of kinds) {
    const since = oldest.get(kind)
    ages.set({ kind }, since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000)
  }
}
