import { endpoint } from '../../shared/http/endpoint.ts'
import { CompanyIdText } from '../../shared/http/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { usageOfCompany } from '../../shared/library/usage/usage.ts'
import { DiskUsage } from './schema.ts'

export const getCompanyDiskUsage = endpoint({
  route: 'GET /company/{id}/diskusage',
  summary: 'How much the files of a company take',
  description: "For members of the company. Originals of available files count, trash included; copies and renditions don't.",
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  returns: DiskUsage,
  async handle({ params, ...library }) {
    requireMember(library, params.id)
    return usageOfCompany(library, params.id)
  },
})
