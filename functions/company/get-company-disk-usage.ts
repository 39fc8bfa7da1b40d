import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { quotaOf } from '../../shared/library/quota/quota.ts'
import { usageOfCompany } from '../../shared/library/usage/usage.ts'
import { CompanyDiskUsage, usageJson } from './schema.ts'

export const getCompanyDiskUsage = endpoint({
  route: 'GET /company/{id}/diskusage',
  summary: 'How much the files of a company take',
  description:
    "For members of the company. Originals of available files and of their former versions count, equal bytes of one file once, trash included; copies and renditions don't. With the quota that limits them.",
  access: 'user',
  uses: { table: 'read' },
  params: { id: CompanyIdText },
  returns: CompanyDiskUsage,
  async handle({ params, ...library }) {
    requireMember(library, params.id)
    const [usage, quota] = await Promise.all([usageOfCompany(library, params.id), quotaOf(library, params.id)])
    return { ...usageJson(usage), ...(quota && { quota_bytes: quota.quotaBytes, reserved_bytes: quota.reservedBytes }) }
  },
})
