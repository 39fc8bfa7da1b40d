import type { Clock } from '../clock/port.ts'
import { type JobKind, JobStore, type TakenJob } from './job-store.ts'
import { type JobState, type Transcoder, TranscoderUnavailable, type TranscodingJob } from './port.ts'

/** How often a job is begun that doesn't end by itself. */
const MAX_ATTEMPTS = 3

/** How long it is known how a job ended, in milliseconds. */
const KNOWN_FOR = 7 * 24 * 60 * 60 * 1000

const CANCELLED = 'it was cancelled'
const CRASHED = `the server ended in the middle of it, ${MAX_ATTEMPTS} times`

/** The embedded backend's jobs. The port adds and asks; whoever runs them (infra/local/transcoding) does the rest, one runner at a time. */
export interface EmbeddedTranscoder extends Transcoder {
  /** For the start of the runner: jobs that ran when the previous one died wait again, or fail where that has happened too often. */
  recover(): void
  /** Makes the next waiting job of this kind a running one. @returns undefined where none waits */
  take(kind: JobKind): TakenJob | undefined
  /** Tokens of running jobs that are to end. */
  cancelled(): string[]
  /** Lets a running job wait again that could not go on for reasons of the machine: it will run, however long that takes. */
  release(token: string): void
  /** Ends an attempt: a job that was cancelled has failed, and so has one that had its last attempt. Another one waits again. */
  interrupt(token: string, reason: string): void
  done(token: string): void
  fail(token: string, reason: string): void
  /** Some jobs that ended, until `told` is called for them: those whose message is to be sent. */
  untold(): TranscodingJob[]
  /** Also removes jobs that ended long ago. */
  told(token: string): void
  close(): void
}

/**
 * Opens the jobs in the SQLite file at `path`, made when missing. Server and worker processes may have it open at once.
 * @throws TranscoderUnavailable when the file can't be opened; so does every method that can't use it
 */
export function openEmbeddedTranscoder(path: string, clock: Clock): EmbeddedTranscoder {
  const store = orUnavailable(() => new JobStore(path))

  function interrupt(which: { token?: string; reason: string }): void {
    orUnavailable(() => store.interrupt({ ...which, maxAttempts: MAX_ATTEMPTS, cancelled: CANCELLED, now: clock.now() }))
  }

  return {
    async start(job) {
      orUnavailable(() => store.add(job))
      return job.token
    },
    async stateOf(jobId): Promise<JobState> {
      const row = orUnavailable(() => store.find(jobId))
      if (!row) return { state: 'gone' }
      if (row.state === 'done') return { state: 'done' }
      return row.state === 'failed' ? { state: 'failed', reason: row.reason ?? '' } : { state: 'running' }
    },
    async cancel(jobId) {
      orUnavailable(() => store.cancel(jobId, CANCELLED, clock.now()))
    },
    recover: () => interrupt({ reason: CRASHED }),
    take: (kind) => orUnavailable(() => store.take(kind)),
    cancelled: () => orUnavailable(() => store.cancelled()),
    release: (token) => orUnavailable(() => store.release(token)),
    interrupt: (token, reason) => interrupt({ token, reason }),
    done: (token) => orUnavailable(() => store.end(token, null, clock.now())),
    fail: (token, reason) => orUnavailable(() => store.end(token, reason, clock.now())),
    untold: () => orUnavailable(() => store.untold()),
    told(token) {
      orUnavailable(() => {
        store.tell(token)
        store.forget(clock.now() - KNOWN_FOR)
      })
    },
    close: () => store.close(),
  }
}

function orUnavailable<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new TranscoderUnavailable('The file of transcoding jobs could not be used', { cause })
  }
}
