import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { RunJob } from '../jobs/run-job.ts'
import { Histogram } from './exposition.ts'

/** What a server measures of its work, from its start on. */
export class Measures {
  readonly #requests = new Histogram('media_library_request_seconds', 'Time of answers to requests of the API.')
  readonly #runs = new Histogram('media_library_run_seconds', 'Time of one run of work behind requests.')
  readonly #jobs = new Histogram('media_library_job_seconds', 'Time from when a job was asked for until it was done, waiting included.')

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

  text(): string {
    return [this.#requests, this.#runs, this.#jobs].map((histogram) => histogram.text()).join('')
  }

  #observeRequest({ route, method, status, ms }: Record<string, unknown> = {}): void {
    if (typeof ms !== 'number') return
    this.#requests.observe({ route: String(route), method: String(method), status: String(status) }, ms / 1000)
  }
}

function hasJob(input: object): input is { job: { kind: string; askedAt: number } } {
  return 'job' in input && typeof input.job === 'object' && input.job !== null && 'askedAt' in input.job
}
