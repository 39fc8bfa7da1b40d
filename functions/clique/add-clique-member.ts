import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { addMember } from '../../shared/library/cliques/members.ts'
import { CliqueMember, MemberParams, memberJson } from './schema.ts'

export const addCliqueMember = endpoint({
  route: 'POST /clique/{id}/member/{userId}',
  summary: 'Make a user of the company member of a clique',
  access: 'user',
  uses: { table: 'write' },
  params: MemberParams,
  returns: CliqueMember,
  async handle({ params, caller, table }) {
    return memberJson(await addMember(table, new Access(table, caller), params.id, params.userId))
  },
})
