import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, CompanyIdJson, MediaIdJson, Name } from '../../shared/http/declaration/fields.ts'
import { changeClique as change } from '../../shared/library/cliques/cliques.ts'
import { Clique, cliqueJson } from './schema.ts'

export const changeClique = endpoint({
  route: 'POST /clique/{id}',
  summary: 'Change name or picture of a clique',
  description:
    "For admins of the company. A field that is absent stays as it is; `thumbnail_id: null` clears it. A clique can't move to " +
    'another company.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText },
  body: z
    .object({ name: Name.optional(), svc_id: CompanyIdJson.optional(), thumbnail_id: MediaIdJson.nullable().optional() })
    .meta({ id: 'CliqueInput', examples: [{ name: 'Photographers' }] }),
  returns: Clique,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const { name, svc_id: companyId, thumbnail_id: thumbnail } = body
    return cliqueJson(await change(library, params.id, { name, companyId, thumbnail }))
  },
})
