import { encodeVideo } from '../../../functions/jobs/encode-video.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { videoJob } from '../../../shared/library/media/encoding-job.ts'
import type { Encodings } from '../../../shared/library/videos/encoding.ts'
import { defaultSettings } from '../../../shared/settings.ts'

const settings = { ...defaultSettings, cdnUrl: '', playerUrl: '' }
const by = { kind: 'job', job: videoJob.name, run: 'test' } as const

/** Runs the next job of a video that waits, as a process of the service does. @returns whether there was one */
export async function runVideoJob(library: Encodings): Promise<boolean> {
  await reviveJobs(library, videoJob.name)
  const job = await claimNext(library, videoJob.name, undefined, LEASE_MS)
  if (!job) return false
  await performJob(library, job, () => encodeVideo.handle({ ...library, settings, by, job }))
  return true
}

/** Runs the jobs of videos until none waits. */
export async function runVideoJobs(library: Encodings): Promise<void> {
  while (await runVideoJob(library));
}
