import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { supervisedUser } from '../../shared/library/access/people.ts'
import { listCliquesOf } from '../../shared/library/cliques/cliques.ts'
import { Clique, cliqueJson } from '../clique/schema.ts'

export const listUserCliques = endpoint({
  route: 'GET /user/{id}/clique',
  summary: 'List the cliques that a user is a member of, by name; of others for admins only',
  description: 'Of other users: for admins, as far as their companies go.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: UserIdText },
  returns: z.array(Clique),
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    const { user, companyIds } = await supervisedUser(library, params.id)
    const cliques = await listCliquesOf(library, user)
    return cliques.filter(({ companyId }) => companyIds.includes(companyId)).map(cliqueJson)
  },
})
