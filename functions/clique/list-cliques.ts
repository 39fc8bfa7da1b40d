import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { listManagedCliques } from '../../shared/library/cliques/cliques.ts'
import { Clique, cliqueJson } from './schema.ts'

export const listCliques = endpoint({
  route: 'GET /clique',
  summary: 'List the cliques that the caller manages',
  description: 'The cliques of all companies that the caller is an admin of; who is admin nowhere gets a 403.',
  access: 'user',
  uses: { table: 'read' },
  returns: z.array(Clique),
  refuses: ['forbidden'],
  async handle(library) {
    return (await listManagedCliques(library)).map(cliqueJson)
  },
})
