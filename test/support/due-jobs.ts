import { claimNext } from '../../shared/library/jobs/claim.ts'
import { jobsIn } from '../../shared/library/jobs/in-state.ts'
import type { Jobs } from '../../shared/library/jobs/job.ts'
import { LEASE_MS, performJob } from '../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { timeIn } from '../../shared/library/jobs/states.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import type { Job } from '../../shared/runtime/consumer.ts'
import { defaultSettings } from '../../shared/settings.ts'

/**
 * Lets the jobs of a kind run whose time has come, until none is left of them.
 * @param library with what the kind uses
 * @returns when the next one is due, in UNIX milliseconds, if there is any
 * @throws Error where one fails
 */
export async function runDueJobs<Library extends Jobs>(library: Library, declared: Job): Promise<number | undefined> {
  const kind = declared.trigger.job
  const failures: string[] = []
  const log = jsonLog((line) => {
    if (line.includes('"job failed"')) failures.push(line)
  })
  const jobs = { table: library.table, clock: library.clock }
  const context = { ...library, log, settings: { ...defaultSettings, playerUrl: '', cdnUrl: '' } }
  for (;;) {
    await reviveJobs(jobs, kind)
    const job = await claimNext(jobs, kind, undefined, LEASE_MS)
    if (!job) break
    const event = { ...context, job, by: { kind: 'job', job: kind, run: 'test' } as const }
    await performJob({ ...jobs, log }, job, () => declared.handle(event))
    if (failures.length > 0) throw new Error(failures[0])
  }
  const later = await Array.fromAsync(jobsIn(jobs, 'later', [kind]))
  return later.length === 0 ? undefined : Math.min(...later.map(timeIn))
}
