import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { deleteClique as remove } from '../../shared/library/cliques/cliques.ts'
import { CliqueParams } from './schema.ts'

export const deleteClique = endpoint({
  route: 'DELETE /clique/{id}',
  summary: 'Delete a clique, and with it what it gave its members',
  description: 'For admins of the company. What the clique gave its members ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  params: CliqueParams,
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, caller, table, clock }) {
    await remove({ table, clock }, new Access(table, caller), params.id)
    return {}
  },
})
