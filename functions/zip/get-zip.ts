import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { getZip as get } from '../../shared/library/zips/request.ts'
import { zipUrl } from '../../shared/library/zips/zip.ts'
import { ZipJob, zipJson } from './schema.ts'

export const getZip = endpoint({
  route: 'GET /zip-file/{job_id}',
  summary: 'See how far a ZIP archive is, or where it can be downloaded',
  description:
    'For the user, or the application, who asked for it. A FAILED job offers nothing: ask for the folder again. A job that is DONE needs READ ' +
    'on all folders whose files are in the archive, as far as they are still there.',
  access: 'user or application',
  uses: { table: 'read', media: 'read', urls: 'sign' },
  params: { job_id: z.string().meta({ examples: ['Zx4Rk9Lp2VnTq7Wb0YcDsG'] }) },
  returns: ZipJob,
  refuses: ['not found'],
  async handle({ params, ...library }) {
    const zip = await get(library, params.job_id)
    return zipJson(zip, await zipUrl(library, zip))
  },
})
