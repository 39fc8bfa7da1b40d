import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { freeSpace } from '../../../shared/backends/disk/free-space.ts'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import type { JobKind, TakenJob } from '../../../shared/backends/transcoder/job-store.ts'
import { transcodingEnded } from '../../../shared/library/encodings/ended.ts'
import { videoJob } from '../../../shared/library/videos/job.ts'
import type { Log } from '../../../shared/log/log.ts'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import type { BackgroundLoop } from '../jobs/run-job.ts'
import { type Encode, encodeJob } from './encode-job.ts'
import { NoFfmpeg } from './encoder.ts'

/** Each has jobs of its own, one at a time: a preview, which somebody may be waiting for, never waits for the stream of a long film. */
const KINDS: readonly JobKind[] = ['preview', 'stream']

/** How often new jobs and cancelled ones are looked for, in milliseconds. */
const POLL = 100

/** Pause after the file of jobs could not be used, in milliseconds. */
const PAUSE = 1_000

/** Pause after a job that could not run for reasons of the machine, in milliseconds. */
const REST = 60_000

/** Bytes that jobs leave free on the disk of the data: everything else writes there, too. */
const LEFT_FREE = 256 * 1024 ** 2

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

/** Somebody cancelled the job. */
class Cancelled extends Error {
  override name = 'Cancelled'
}

/**
 * Runs the jobs of the embedded transcoder, and tells the library of each that has ended. Work that a crash interrupted comes first.
 * When it stops it cuts off what runs, which begins anew at the next start.
 */
export function startTranscoding(
  { table, transcoder, media, publicFiles }: Pick<EmbeddedBackend, 'table' | 'transcoder' | 'media' | 'publicFiles'>,
  { encode, clock, log, temporaryDirectory, rest = REST, free = () => freeSpace(temporaryDirectory) }: TranscodingOptions,
): BackgroundLoop {
  const stopped = new AbortController()
  /** What ends jobs that run, by token. */
  const running = new Map<string, AbortController>()
  /** What the operator was told that jobs wait for: once, until it is gone. */
  let told: string | undefined

  /** Waits, unless it is stopped. */
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopped.signal }).catch(() => undefined)

  /** Uses the file of jobs until that works: a full disk refuses writes. @throws its error once stopped */
  async function untilStored<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (stopped.signal.aborted) throw error
        log.error('transcoding jobs could not be stored', { error })
        await pause(PAUSE)
      }
    }
  }

  async function runJobs(kind: JobKind): Promise<void> {
    while (!stopped.signal.aborted) {
      const taken = await untilStored(() => transcoder.take(kind))
      if (taken) await run(taken)
      else await pause(POLL)
    }
  }

  async function run({ job, attempts }: TakenJob): Promise<void> {
    const { token, companyId, mediaId, output } = job
    const entry = { encoding: token, company: companyId, media: mediaId, output: output.kind, attempts }
    const ended = new AbortController()
    running.set(token, ended)
    const signal = AbortSignal.any([stopped.signal, ended.signal])
    const started = performance.now()
    try {
      assertSpace()
      await encodeJob(job, { encode, media, publicFiles, temporaryDirectory, signal })
      await untilStored(() => transcoder.done(token))
      told = undefined
      log.info('video encoded', { ...entry, milliseconds: Math.round(performance.now() - started) })
    } catch (thrown) {
      await settle(token, signal.aborted ? signal.reason : thrown, entry)
    } finally {
      running.delete(token)
    }
  }

  /** Stores what becomes of a job that was not done. */
  async function settle(token: string, error: unknown, entry: Record<string, unknown>): Promise<void> {
    if (stopped.signal.aborted) return transcoder.release(token)
    const obstacle = obstacleOf(error)
    if (obstacle !== undefined) {
      await untilStored(() => transcoder.release(token))
      if (obstacle !== told) log.warn('videos wait', { reason: obstacle })
      told = obstacle
      return pause(rest)
    }
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof Cancelled) return untilStored(() => transcoder.interrupt(token, reason))
    // It is the file's fault, which whoever asked for the job says.
    if (error instanceof ToolFailed || error instanceof ObjectMissing) return untilStored(() => transcoder.fail(token, reason))
    log.error('an encode was broken off', { ...entry, error })
    await untilStored(() => transcoder.interrupt(token, reason))
    await pause(rest)
  }

  /** @throws DiskFull */
  function assertSpace(): void {
    if (free() < LEFT_FREE) {
      throw new DiskFull(`Videos wait until the disk of the data folder has ${LEFT_FREE / 1024 ** 2} MiB of room.`)
    }
  }

  /** Ends what was cancelled, ends all while the disk is full, and tells of jobs that have ended. */
  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      await untilStored(async () => {
        if (running.size > 0) endCancelled()
        for (const { token, companyId, mediaId } of transcoder.untold()) {
          await transcodingEnded({ table, clock, by: { kind: 'job', job: videoJob.name, run: token } }, { companyId, mediaId })
          transcoder.told(token)
        }
      })
      if (running.size > 0) endOnFullDisk()
      await pause(POLL)
    }
  }

  function endCancelled(): void {
    for (const token of transcoder.cancelled()) running.get(token)?.abort(new Cancelled('it was cancelled'))
  }

  function endOnFullDisk(): void {
    try {
      assertSpace()
    } catch (full) {
      for (const ended of running.values()) ended.abort(full)
    }
  }

  // One server works on a data folder, so no other one runs these.
  transcoder.recover()
  const loops = Promise.allSettled([...KINDS.map(runJobs), watch()])
  return {
    async stop() {
      stopped.abort()
      await loops
    },
  }
}

/** What has to change on this machine before a job can run, for the operator; undefined for other errors. */
function obstacleOf(error: unknown): string | undefined {
  if (error instanceof NoFfmpeg || error instanceof DiskFull) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'The disk of the data folder is full. Make room there.' : undefined
}
