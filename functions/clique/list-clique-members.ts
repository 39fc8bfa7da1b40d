import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { listMembers } from '../../shared/library/cliques/members.ts'
import { CliqueMember, CliqueParams, memberJson } from './schema.ts'

export const listCliqueMembers = endpoint({
  route: 'GET /clique/{id}/member',
  summary: 'List the members of a clique',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read' },
  params: CliqueParams,
  returns: z.array(CliqueMember),
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    return (await listMembers(table, new Access(table, caller), params.id)).map(memberJson)
  },
})
