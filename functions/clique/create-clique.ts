import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdJson, MediaIdJson, Name } from '../../shared/http/declaration/fields.ts'
import { createClique as create } from '../../shared/library/cliques/cliques.ts'
import { Clique, cliqueJson } from './schema.ts'

export const createClique = endpoint({
  route: 'POST /clique',
  summary: 'Create a clique: a group of users to share folders with',
  description: 'For admins of the company. Users become members of it, and folders are shared with it.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  body: z
    .object({
      name: Name,
      svc_id: CompanyIdJson.describe('the company'),
      thumbnail_id: MediaIdJson.nullable()
        .default(null)
        .meta({ description: 'media id of its picture', examples: [null] }),
    })
    .meta({ id: 'NewClique' }),
  returns: Clique,
  refuses: ['forbidden', 'not found'],
  async handle({ body, ...library }) {
    const { name, svc_id: companyId, thumbnail_id: thumbnail } = body
    return cliqueJson(await create(library, { companyId, name, thumbnail }))
  },
})
