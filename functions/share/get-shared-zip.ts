import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { getSharedZip as get } from '../../shared/library/zips/shared.ts'
import { zipUrl } from '../../shared/library/zips/zip.ts'
import { ZipJob, zipJson } from '../zip/schema.ts'
import { secretParam } from './secret-param.ts'
import { zipping } from './visiting.ts'

export const getSharedZip = endpoint({
  route: 'GET /s/{secret}/zip/{job_id}',
  summary: 'See how far a ZIP archive of a share link is, or where it can be downloaded',
  description:
    'For whoever has the link, as long as `allow.download` is what it was when the zip was asked for: 403 once it is `none`, 404 once it is another one. ' +
    'A FAILED job offers nothing: ask for it again.',
  ...byShareLink,
  ...zipping,
  params: { ...secretParam, job_id: z.string().meta({ examples: ['Zx4Rk9Lp2VnTq7Wb0YcDsG'] }) },
  returns: ZipJob,
  async handle({ params, ...library }) {
    const zip = await get(library, params.job_id)
    return zipJson(zip, await zipUrl(library, zip))
  },
})
