import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { supervisedUser } from '../../shared/library/access/people.ts'
import { usageOfUser } from '../../shared/library/usage/usage.ts'
import { DiskUsage } from '../company/schema.ts'
import { UserParams } from './schema.ts'

export const getUserDiskUsage = endpoint({
  route: 'GET /user/{id}/diskusage',
  summary: 'How much the files take that a user uploaded',
  description:
    'Counts originals of available files that the user uploaded, trash included. Of other users: for admins, as far as their ' +
    'companies go.',
  access: 'user',
  uses: { table: 'read' },
  params: UserParams,
  returns: DiskUsage,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    const { user, companyIds } = await supervisedUser(table, new Access(table, caller), params.id)
    return usageOfUser(table, user.userId, companyIds)
  },
})
