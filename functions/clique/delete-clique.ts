import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, Empty } from '../../shared/http/declaration/fields.ts'
import { deleteClique as remove } from '../../shared/library/cliques/cliques.ts'

export const deleteClique = endpoint({
  route: 'DELETE /clique/{id}',
  summary: 'Delete a clique, and with it what it gave its members',
  description: 'For admins of the company. What the clique gave its members ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await remove(library, params.id)
    return {}
  },
})
