import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, UserIdText } from '../../shared/http/declaration/fields.ts'
import { addMember } from '../../shared/library/cliques/members.ts'
import { CliqueMember, memberJson } from './schema.ts'

export const addCliqueMember = endpoint({
  route: 'POST /clique/{id}/member/{userId}',
  summary: 'Make a user of the company member of a clique',
  description: 'For admins of the company. Who is a member already stays one. A user is in at most 200 cliques.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText, userId: UserIdText },
  returns: CliqueMember,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return memberJson(await addMember(library, params.id, params.userId))
  },
})
