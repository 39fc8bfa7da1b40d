import { events } from '../../../functions/events.ts'
import { isFollower, runInProcess } from '../../../infra/local/jobs/run-job.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import type { ChangeReader } from '../../../shared/backends/table/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import type { Again } from '../../../shared/library/jobs/run.ts'
import { handleChanges } from '../../../shared/runtime/changes.ts'
import { jobActor, namedFunctions } from '../../../shared/runtime/consumer.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import type { TestClock } from '../../support/test-clock.ts'
import { BASE_URL, type OpenPlace } from './place.ts'

const functions = namedFunctions(events)

/** Longer than any job waits, in seconds. */
const LONGEST_WAIT = 1_000

/** What goes on behind the requests, step by step: changes start jobs, jobs run. */
export interface Background {
  /** Runs everything that waits, and what that brings about, until nothing is left. Time passes over jobs that wait. */
  settle(): Promise<void>
  /** Gives all committed changes to their consumers. */
  followChanges(): Promise<void>
  /** Behind the changes that consumers got. */
  position(): string | undefined
}

export function startBackground({ backend }: OpenPlace, changes: ChangeReader, clock: TestClock): Background {
  const log = { info() {}, warn() {}, error: console.error, with: () => log }
  const runJob = runInProcess(backend, { clock, settings: settingsAt(BASE_URL, defaultSettings), log })
  const jobs = { table: backend.table, clock, log }
  let position: string | undefined

  async function followChanges(): Promise<void> {
    for (;;) {
      const batch = await changes.readChanges(position, 1_000)
      if (batch.changes.length === 0) return
      for (const consumer of functions.filter(isFollower)) {
        await handleChanges(consumer, batch.changes, async (input) => (await runJob(consumer, input)) as { id: string }[], jobs)
      }
      position = batch.position
    }
  }

  async function runJobs(): Promise<number> {
    let handled = 0
    for (const declared of functions) {
      if (!('job' in declared.trigger)) continue
      const { job: kind } = declared.trigger
      await reviveJobs(jobs, kind)
      for (;;) {
        const job = await claimNext(jobs, kind, undefined, LEASE_MS)
        if (!job) break
        const by = jobActor(declared, job)
        await performJob(jobs, job, async () => (await runJob(declared, { job, by })) as Again | undefined)
        handled += 1
      }
    }
    return handled
  }

  return {
    followChanges,
    position: () => position,
    async settle() {
      for (let idle = false; !idle; clock.advance(LONGEST_WAIT)) {
        idle = true
        await followChanges()
        while ((await runJobs()) > 0) {
          idle = false
          await followChanges()
        }
      }
    },
  }
}
