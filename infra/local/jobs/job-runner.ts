import { repeating } from '../../../shared/library/concurrency/repeating.ts'
import { claimNext, companiesWith, halfOf } from '../../../shared/library/jobs/claim.ts'
import { type Claimed, type Jobs, jobIdIn } from '../../../shared/library/jobs/job.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { releaseJobs, reviveJobs } from '../../../shared/library/jobs/revive.ts'
import type { Again } from '../../../shared/library/jobs/run.ts'
import type { Log } from '../../../shared/log/log.ts'
import { type Job, jobActor, type NamedFunction } from '../../../shared/runtime/consumer.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import type { BackgroundLoop, RunJob } from './run-job.ts'

/** How often the clock is looked at for jobs whose time has come, in milliseconds. */
const TICK = 200
/** Pause after the table could not be used, in milliseconds. */
const PAUSE = 1_000

export interface JobRunner extends BackgroundLoop {
  /** Tells it that a job waits. */
  wake(): void
}

/** Runs the jobs of a kind, `runs` at a time. Those that a killed server had come first. @param onDone called after each */
export function runJobs(
  declared: NamedFunction<Job>,
  jobs: Jobs & { log: Log },
  { run, runs, onDone }: { run: RunJob; runs: number; onDone(): void },
): JobRunner {
  const kind = declared.trigger.job
  const perCompany = declared.trigger.halfPerCompany ? halfOf(runs) : runs
  /** The runs, with the company of each. */
  const running = new Map<Promise<void>, CompanyId>()
  let last: CompanyId | undefined
  let isReleased = false
  let stopping = false
  let isWanted = true
  let isFilling = false
  let filling: Promise<void> = Promise.resolve()
  /** When something is due, in UNIX milliseconds. */
  let next: number | undefined

  function start(job: Claimed): void {
    last = job.companyId
    const by = jobActor(declared, job)
    const work = async () => (await run(declared, { job, by })) as Again | undefined
    const performed = performJob(jobs, job, work, () => stopping)
      // The job comes back when its lease ends.
      .catch((error) => jobs.log.error('the end of a job could not be noted', { function: declared.name, job: jobIdIn(job), error }))
      .finally(() => {
        running.delete(performed)
        wake()
        onDone()
      })
    running.set(performed, job.companyId)
  }

  /** Starts what waits, until as many run as may. */
  async function fill(): Promise<void> {
    if (!isReleased) await releaseJobs(jobs, kind)
    isReleased = true
    while (isWanted && !stopping) {
      isWanted = false
      next = await reviveJobs(jobs, kind)
      while (!stopping && running.size < runs) {
        const job = await claimNext(jobs, kind, last, LEASE_MS, companiesWith(perCompany, running.values()))
        if (!job) break
        start(job)
      }
    }
  }

  function wake(): void {
    isWanted = true
    if (isFilling || stopping) return
    isFilling = true
    filling = fill()
      .catch((error) => {
        jobs.log.error('jobs could not be read', { function: declared.name, error })
        next = jobs.clock.now() + PAUSE
      })
      .finally(() => {
        isFilling = false
      })
  }

  const ticking = repeating(jobs.clock, TICK, () => {
    if (next !== undefined && jobs.clock.now() >= next) wake()
  })
  wake()
  return {
    wake,
    async stop() {
      stopping = true
      await ticking[Symbol.asyncDispose]()
      // It may be starting one more.
      await filling
      await Promise.all(running.keys())
    },
  }
}
