import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { MAX_FAILED, retryFailedJobs as retry } from '../../shared/library/jobs/failed.ts'
import { JobId } from './schema.ts'

export const retryFailedJobs = endpoint({
  route: 'POST /company/{id}/failedjobs/retry',
  summary: 'Try work of a company again that failed; admins only',
  description:
    'Each job runs as soon as there is room, with all its attempts anew. Jobs that are unknown, of another company, or not failed any more are left ' +
    'alone: the answer does not hold them. For admins of the company.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CompanyIdText },
  body: z
    .object({ job_ids: z.array(JobId).min(1).max(MAX_FAILED).describe('as `GET /company/{id}/failedjobs` lists them') })
    .meta({ id: 'FailedJobIds' }),
  returns: z.object({ retried: z.array(JobId).describe('those that wait for their run now') }).meta({ id: 'RetriedJobs' }),
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    requireAdmin(library, params.id)
    return { retried: await retry(library, params.id, body.job_ids) }
  },
})
