import { api, dataOf, type Schemas } from '../api/client.ts'
import { notices } from './notices.svelte.ts'
import { saveZip } from './save-zip.ts'

/** Downloads a zip of the signed-in user when it is made. @param begun the job's first state */
export const downloadZip = (begun: Promise<Schemas['ZipJob']>): Promise<void> =>
  saveZip(begun, (id) => dataOf(api.GET('/zip-file/{job_id}', { params: { path: { job_id: id } } }))).catch((error: unknown) =>
    notices.fail(error),
  )
