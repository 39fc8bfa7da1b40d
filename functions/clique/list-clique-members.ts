import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText } from '../../shared/http/declaration/fields.ts'
import { listMembers } from '../../shared/library/cliques/members.ts'
import { CliqueMember, memberJson } from './schema.ts'

export const listCliqueMembers = endpoint({
  route: 'GET /clique/{id}/member',
  summary: 'List the members of a clique',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: CliqueIdText },
  returns: z.array(CliqueMember),
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return (await listMembers(library, params.id)).map(memberJson)
  },
})
