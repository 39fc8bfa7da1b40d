import type { Clock } from '../../../../shared/backends/clock/port.ts'
import { freeSpace } from '../../../../shared/backends/disk/free-space.ts'
import { ObjectMissing } from '../../../../shared/backends/objects/port.ts'
import type { TranscodingJob } from '../../../../shared/backends/transcoder/port.ts'
import { claimNext } from '../../../../shared/library/jobs/claim.ts'
import type { Claimed } from '../../../../shared/library/jobs/job.ts'
import { LEASE_MS, performJob } from '../../../../shared/library/jobs/perform.ts'
import { releaseJobs, reviveJobs } from '../../../../shared/library/jobs/revive.ts'
import type { Again } from '../../../../shared/library/jobs/run.ts'
import { isAnyWaiting } from '../../../../shared/library/jobs/slots.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { ToolFailed } from '../../../../shared/tools/failure.ts'
import type { CompanyId } from '../../../../shared/vocabulary/ids.ts'
import type { EmbeddedBackend } from '../../backend/embedded-backend.ts'
import { endJob, jobIn, type Lane, lanes, type Outcome, outcomeOf } from '../../backend/embedded-transcoder.ts'
import type { BackgroundLoop } from '../run-job.ts'
import { type Encode, encodeJob } from './encode-job.ts'
import { NoFfmpeg } from './encoder.ts'

/** How often new jobs and ended ones are looked for, in milliseconds. */
const POLL = 200

/** Pause after the table could not be used, in milliseconds. */
const PAUSE = 1_000

/** Pause after a job that could not run for reasons of the machine, in milliseconds. */
const REST = 60_000

/** Bytes that jobs leave free on the disk of the data: everything else writes there, too. */
const LEFT_FREE = 256 * 1024 ** 2

/** How often a job is begun that doesn't end by itself. */
const MAX_ATTEMPTS = 3

/** How many short videos a long one lets pass. */
const MOST_PASSING = 10

export interface TranscodingOptions {
  encode: Encode
  clock: Clock
  log: Log
  /** Where temporary files go, on the disk of the data. */
  temporaryDirectory: string
  /** Milliseconds after which a job that could not run is tried again. */
  rest?: number
  /** Free bytes of that disk. */
  free?: () => number
}

/** There is little room left on the disk. */
class DiskFull extends Error {
  override name = 'DiskFull'
}

/** The job has ended elsewhere: it was cancelled. */
class Ended extends Error {
  override name = 'Ended'
}

/**
 * Runs the jobs of the embedded transcoder, and tells the library of each that has ended. When it stops it cuts off what runs, which begins anew
 * at the next start.
 */
export function startTranscoding(
  { table, media, publicFiles }: Pick<EmbeddedBackend, 'table' | 'media' | 'publicFiles'>,
  { encode, clock, log, temporaryDirectory, rest = REST, free = () => freeSpace(temporaryDirectory) }: TranscodingOptions,
): BackgroundLoop {
  const jobs = { table, clock, log }
  const stopped = new AbortController()
  /** The obstacle in the log: logged once, until it is gone. */
  let loggedObstacle: string | undefined

  /** Waits, unless it is stopped. */
  const pause = (milliseconds: number) => clock.sleep(milliseconds, { signal: stopped.signal }).catch(() => undefined)

  /** Runs the jobs of a lane, one at a time. */
  async function runLane({ short, long }: Lane): Promise<void> {
    const kinds = [short.name, long.name]
    let isReleased = false
    let last: CompanyId | undefined
    let passed = 0
    /** When a job is due that rests, in UNIX milliseconds. */
    let due: number | undefined = 0

    async function next(): Promise<Claimed | undefined> {
      for (const kind of passed < MOST_PASSING ? kinds : kinds.toReversed()) {
        const job = await claimNext(jobs, kind, last, LEASE_MS)
        if (!job) continue
        passed = kind === short.name && (await isAnyWaiting(jobs, long.name)) ? passed + 1 : 0
        return job
      }
      return undefined
    }

    while (!stopped.signal.aborted) {
      try {
        // One server works on a data folder, so no other one runs these.
        if (!isReleased) for (const kind of kinds) await releaseJobs(jobs, kind)
        isReleased = true
        if (due !== undefined && due <= clock.now()) {
          const times = await Promise.all(kinds.map((kind) => reviveJobs(jobs, kind)))
          due = times.filter((time) => time !== undefined).sort((a, b) => a - b)[0]
        }
        const job = await next()
        if (!job) {
          await pause(POLL)
          continue
        }
        last = job.companyId
        due = 0
        await performJob(
          jobs,
          job,
          () => run(job),
          () => stopped.signal.aborted,
        )
      } catch (error) {
        log.error('transcoding jobs could not be read or written', { error })
        await pause(PAUSE)
      }
    }
  }

  async function run(claimed: Claimed): Promise<Again | undefined> {
    const job = jobIn(claimed)
    const end = (await outcomeOf(jobs, job.token)) ?? (await attempt(job, claimed.attempts))
    if (!('state' in end)) return end
    await endWhenPossible(job, end)
    return undefined
  }

  /** A full disk refuses writes, and the encode is not made again for that. @throws what refuses it once stopped */
  async function endWhenPossible(job: TranscodingJob, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        return await endJob(jobs, job, outcome)
      } catch (error) {
        if (stopped.signal.aborted) throw error
        log.error('the end of an encode could not be noted', { encoding: job.token, error })
        await pause(PAUSE)
      }
    }
  }

  /** @returns how the job ended, or when it is to run again @throws what may pass */
  async function attempt(job: TranscodingJob, attempts: number): Promise<Outcome | Again> {
    if (attempts > MAX_ATTEMPTS) return failed(`the server ended in the middle of it, ${MAX_ATTEMPTS} times`)
    const { token, companyId, mediaId, output } = job
    const entry = { encoding: token, company: companyId, media: mediaId, output: output.kind, attempts }
    const ended = new AbortController()
    const watch = setInterval(() => endInTime(token, ended), POLL)
    const signal = AbortSignal.any([stopped.signal, ended.signal])
    const started = performance.now()
    try {
      assertSpace()
      await encodeJob(job, { encode, media, publicFiles, temporaryDirectory, signal })
      loggedObstacle = undefined
      log.info('video encoded', { ...entry, milliseconds: Math.round(performance.now() - started) })
      return { state: 'done' }
    } catch (thrown) {
      if (stopped.signal.aborted) return {}
      return settle(signal.aborted ? signal.reason : thrown, entry)
    } finally {
      clearInterval(watch)
    }
  }

  /** What becomes of a job that was not done. @throws what may pass */
  function settle(error: unknown, entry: { attempts: number }): Outcome | Again {
    const obstacle = obstacleOf(error)
    if (obstacle !== undefined) {
      if (obstacle !== loggedObstacle) log.warn('videos wait', { reason: obstacle })
      loggedObstacle = obstacle
      return { inSeconds: rest / 1_000 }
    }
    const outcome = failed(error instanceof Error ? error.message : String(error))
    // It is the file's fault, which whoever asked for the job says.
    if (error instanceof Ended || error instanceof ToolFailed || error instanceof ObjectMissing) return outcome
    if (entry.attempts < MAX_ATTEMPTS) throw error
    log.error('an encode was given up', { ...entry, error })
    return outcome
  }

  /** Ends an encode whose job was cancelled, and every one while the disk is full. */
  async function endInTime(token: string, ended: AbortController): Promise<void> {
    try {
      assertSpace()
      if (await outcomeOf(jobs, token)) ended.abort(new Ended('it was cancelled'))
    } catch (error) {
      // Where the table can't be read, the encode goes on.
      if (error instanceof DiskFull) ended.abort(error)
    }
  }

  /** @throws DiskFull */
  function assertSpace(): void {
    if (free() < LEFT_FREE) {
      throw new DiskFull(`Videos wait until the disk of the data folder has ${LEFT_FREE / 1024 ** 2} MiB of room.`)
    }
  }

  const loops = Promise.all(Object.values(lanes).map(runLane))
  return {
    async stop() {
      stopped.abort()
      await loops
    },
  }
}

const failed = (reason: string): Outcome => ({ state: 'failed', reason })

/** What has to change on this machine before a job can run, for the operator; undefined for other errors. */
function obstacleOf(error: unknown): string | undefined {
  if (error instanceof NoFfmpeg || error instanceof DiskFull) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'The disk of the data folder is full. Make room there.' : undefined
}
