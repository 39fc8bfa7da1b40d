import { finishRemoval } from '../../functions/jobs/finish-removal.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { claimNext } from '../../shared/library/jobs/claim.ts'
import type { Jobs } from '../../shared/library/jobs/job.ts'
import { listJobs } from '../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../shared/library/jobs/revive.ts'
import { timeIn } from '../../shared/library/jobs/states.ts'
import { removalJob } from '../../shared/library/tree/folder-changes.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import type { TestClock } from './test-clock.ts'

/** Lets one job of a removal run, if one waits. @param onFailure is given what the log says of a run that fails @returns whether one did */
async function runRemoval(jobs: Jobs, onFailure: (line: string) => void): Promise<boolean> {
  const log = jsonLog((line, level) => {
    if (level === 'error') onFailure(line)
  })
  const job = await claimNext(jobs, removalJob.name, undefined, LEASE_MS)
  if (!job) return false
  const partUploads = { abortParts: async () => undefined, receivedParts: async () => [] }
  const context = { ...jobs, log, partUploads, settings: { ...defaultSettings, playerUrl: '', cdnUrl: '' } }
  await performJob({ ...jobs, log }, job, () =>
    finishRemoval.handle({ job, by: { kind: 'job', job: removalJob.name, run: 'test' }, ...context }),
  )
  return true
}

/** Lets removals run until none is left. Time passes over those that wait. @throws Error where one fails */
export async function runRemovals({ table, clock }: { table: Table; clock: TestClock }): Promise<void> {
  const jobs = { table, clock }
  const fail = (line: string) => {
    throw new Error(line)
  }
  for (;;) {
    await reviveJobs(jobs, removalJob.name)
    if (await runRemoval(jobs, fail)) continue
    const [next] = await listJobs(jobs, [removalJob.name], {})
    if (!next) return
    clock.ms = Math.max(clock.ms, timeIn(next))
  }
}
