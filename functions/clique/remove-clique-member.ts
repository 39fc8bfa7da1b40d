import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, Empty, UserIdText } from '../../shared/http/declaration/fields.ts'
import { removeMember } from '../../shared/library/cliques/members.ts'

export const removeCliqueMember = endpoint({
  route: 'DELETE /clique/{id}/member/{userId}',
  summary: 'Take a member out of a clique',
  description: 'For admins of the company. What the clique gave the user ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText, userId: UserIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await removeMember(library, params.id, params.userId)
    return {}
  },
})
