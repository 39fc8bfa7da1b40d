import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { removeMember } from '../../shared/library/cliques/members.ts'
import { MemberParams } from './schema.ts'

export const removeCliqueMember = endpoint({
  route: 'DELETE /clique/{id}/member/{userId}',
  summary: 'Take a member out of a clique',
  description: 'For admins of the company. What the clique gave the user ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  params: MemberParams,
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    await removeMember(table, new Access(table, caller), params.id, params.userId)
    return {}
  },
})
