import { api, dataOf, type Schemas } from '../api/client.ts'
import { untilDone } from '../api/polling.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from './notices.svelte.ts'
import { saveFrom } from './save.ts'

/** Tells how far an archive is, and downloads it when it is made. @param begun the job's first state */
export async function downloadZip(begun: Promise<Schemas['ZipJob']>): Promise<void> {
  const progress = notices.progress()
  try {
    const { job_id: id } = await begun
    progress.show(text.zipping)
    const { url } = await untilDone(async () => {
      const job = await dataOf(api.GET('/zip-file/{job_id}', { params: { path: { job_id: id } } }))
      if (job.state !== 'PENDING') return job
      if (job.entries_total) progress.show(text.zippingFiles(job.entries_done ?? 0, job.entries_total))
      return undefined
    })
    if (url) saveFrom(url)
    else notices.fail(new Error(text.zipFailed))
  } catch (error) {
    notices.fail(error)
  } finally {
    progress.end()
  }
}
