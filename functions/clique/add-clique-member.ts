import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { addMember } from '../../shared/library/cliques/members.ts'
import { CliqueMember, MemberParams, memberJson } from './schema.ts'

export const addCliqueMember = endpoint({
  route: 'POST /clique/{id}/member/{userId}',
  summary: 'Make a user of the company member of a clique',
  description: 'For admins of the company. Who is a member already stays one. A user is in at most 200 cliques.',
  access: 'user',
  uses: { table: 'write' },
  params: MemberParams,
  returns: CliqueMember,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    return memberJson(await addMember(table, new Access(table, caller), params.id, params.userId))
  },
})
