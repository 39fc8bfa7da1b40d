import type { Schemas } from '../api/client.ts'
import { untilDone } from '../api/polling.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from './notices.svelte.ts'
import { saveFrom } from './save.ts'

type ZipJob = Schemas['ZipJob']

/**
 * Shows the progress of a zip, and downloads it when it is made.
 * @param begun the job's first state
 * @param stateOf reads the job's present state
 * @throws MediaLibraryError
 */
export async function saveZip(begun: Promise<ZipJob>, stateOf: (id: ZipJob['job_id']) => Promise<ZipJob>): Promise<void> {
  const progress = notices.progress()
  try {
    const { job_id: id } = await begun
    progress.show(text.zipping)
    const { url } = await untilDone(async () => {
      const job = await stateOf(id)
      if (job.state !== 'PENDING') return job
      if (job.entries_total) progress.show(text.zippingFiles(job.entries_done ?? 0, job.entries_total))
      return undefined
    })
    if (url) saveFrom(url)
    else notices.fail(new Error(text.zipFailed))
  } finally {
    progress.end()
  }
}
