import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { supervisedUser } from '../../shared/library/access/people.ts'
import { usageOfUser } from '../../shared/library/usage/usage.ts'
import { DiskUsage, usageJson } from '../company/schema.ts'

export const getUserDiskUsage = endpoint({
  route: 'GET /user/{id}/diskusage',
  summary: 'How much the files take that a user uploaded',
  description:
    'Counts originals of available files that the user uploaded, trash included. Of other users: for admins, as far as their ' +
    'companies go.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: UserIdText },
  returns: DiskUsage,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    const { user, companyIds } = await supervisedUser(library, params.id)
    return usageJson(await usageOfUser(library, user.userId, companyIds))
  },
})
