import type * as Prometheus from 'prom-client'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { RunJob } from '../jobs/run-job.ts'
import { Histogram, Registry } from './prometheus.ts'

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
