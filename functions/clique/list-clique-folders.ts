import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText } from '../../shared/http/declaration/fields.ts'
import { listShares } from '../../shared/library/cliques/shares.ts'
import { CliqueFolder, shareJson } from './schema.ts'

export const listCliqueFolders = endpoint({
  route: 'GET /clique/{id}/folder',
  summary: 'List the folders that are shared with a clique',
  description: "For admins of the company. Shares of folders in a trashcan rest, and aren't listed.",
  access: 'user',
  uses: { table: 'read' },
  params: { id: CliqueIdText },
  returns: z.array(CliqueFolder),
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return (await listShares(library, params.id)).map(shareJson)
  },
})
