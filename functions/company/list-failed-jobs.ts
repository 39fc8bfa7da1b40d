import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { listFailedJobs as list } from '../../shared/library/jobs/failed.ts'
import { FailedJobs, failedJobJson } from './schema.ts'

export const listFailedJobs = endpoint({
  route: 'GET /company/{id}/failedjobs',
  summary: 'List work of a company that failed too often to be tried soon; admins only',
  description:
    'Imports, streams, archives, links and other work that no request waits for. It is tried again every hour; `POST /company/{id}/failedjobs/retry` ' +
    'tries it at once. At most 100, by kind. For admins of the company.',
  access: 'user',
  uses: { table: 'readByDue' },
  params: { id: CompanyIdText },
  returns: FailedJobs,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    requireAdmin(library, params.id)
    const { jobs, more } = await list(library, params.id)
    return { jobs: jobs.map(failedJobJson), more }
  },
})
