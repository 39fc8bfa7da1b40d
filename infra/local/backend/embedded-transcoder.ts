import type { Key } from '../../../shared/backends/table/port.ts'
import type { JobState, Transcoder, TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { held } from '../../../shared/library/concurrency/conditional.ts'
import { getJob, JobKind, type JobRecord, type Jobs, jobIdOf } from '../../../shared/library/jobs/job.ts'
import { videoJob } from '../../../shared/library/media/encoding-job.ts'
import { transcodingEnded } from '../../../shared/library/videos/encoding-outcome.ts'

/** A transcoding job as JSON. */
type JobInput = { job: string }

/** Job kinds of one output, so that long videos may wait for short ones. */
export interface Lane {
  short: JobKind<JobInput>
  long: JobKind<JobInput>
}

const laneOf = (output: string): Lane => ({
  short: new JobKind(`transcode-${output}`),
  long: new JobKind(`transcode-long-${output}`),
})

/** One job at a time per kind: a preview, for which a user may wait, never waits for the stream of a long film. */
export const lanes: Readonly<Record<TranscodingJob['output']['kind'], Lane>> = { preview: laneOf('preview'), stream: laneOf('stream') }

/** Pixels of all frames above which a video is long: ten minutes of 1080p at 30 frames a second. */
const LONG_PIXELS = 600 * 30 * 1_920 * 1_080

/** A video with missing facts may be long. */
function isLong({ source: { width, height, facts } }: TranscodingJob): boolean {
  return (facts.seconds ?? 43_200) * (facts.frameRate ?? 60) * width * height > LONG_PIXELS
}

/** Outcome of a job. The first one written counts. */
export type Outcome = { state: 'done' } | { state: 'failed'; reason: string }

type OutcomeRecord = Key & Outcome & { ttl: number }

/** Lifetime of an outcome, in seconds. */
const KNOWN_FOR = 7 * 24 * 60 * 60

const outcomeKey = (token: string): Key => ({ pk: `TRANSCODED#${token}`, sk: 'TRANSCODED' })

/** @returns undefined while the job runs, and after the outcome's lifetime */
export async function outcomeOf({ table, clock }: Jobs, token: string): Promise<Outcome | undefined> {
  const record = await table.get<OutcomeRecord>(outcomeKey(token))
  return record && record.ttl * 1_000 > clock.now() ? record : undefined
}

/** Ends a job, unless it has ended, and notifies the library. */
export async function endJob({ table, clock }: Jobs, job: TranscodingJob, outcome: Outcome): Promise<void> {
  const ttl = Math.ceil(clock.now() / 1_000) + KNOWN_FOR
  await held(table.put({ ...outcomeKey(job.token), ...outcome, ttl } satisfies OutcomeRecord, { pk: { exists: false } }))
  await transcodingEnded({ table, clock, by: actorOf(job) }, job)
}

export const jobIn = ({ input }: Pick<JobRecord, 'input'>): TranscodingJob => JSON.parse((input as JobInput).job)

const actorOf = ({ token }: TranscodingJob) => ({ kind: 'job', job: videoJob.name, run: token }) as const

/**
 * The transcoder of one machine. Its jobs are jobs of the table, which the server runs (../transcoding). Cancelling writes a job's outcome, which its
 * next run reads first.
 */
export function embeddedTranscoder(jobs: Jobs): Transcoder {
  const { table, clock } = jobs
  return {
    async start(job) {
      const { token, companyId, output } = job
      const kind = lanes[output.kind][isLong(job) ? 'long' : 'short']
      const asked = kind.ask({ clock, by: actorOf(job) }, { companyId, subject: token, input: { job: JSON.stringify(job) } })
      const isNew = { pk: { exists: false } }
      await held(table.transact({ job: { ...asked, if: isNew }, outcome: { check: outcomeKey(token), if: isNew } }))
      return jobIdOf({ kind: kind.name, subject: token })
    },
    async stateOf(jobId): Promise<JobState> {
      // The outcome is written before the job's record goes.
      const job = await getJob(jobs, jobId)
      const outcome = await outcomeOf(jobs, tokenIn(jobId))
      if (outcome) return outcome.state === 'done' ? { state: 'done' } : { state: 'failed', reason: outcome.reason }
      return { state: job ? 'running' : 'gone' }
    },
    async cancel(jobId) {
      const job = await getJob(jobs, jobId)
      if (job) await endJob(jobs, jobIn(job), { state: 'failed', reason: 'it was cancelled' })
    },
  }
}

const tokenIn = (jobId: string): string => jobId.slice(jobId.indexOf('.') + 1)
