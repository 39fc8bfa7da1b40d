import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { listPresets as list } from '../../shared/library/presets/manage.ts'
import { Preset, presetJson } from './preset-schema.ts'

export const listPresets = endpoint({
  route: 'GET /preset',
  summary: 'List the presets of a company, oldest first; admins only',
  description: 'For admins of the company.',
  access: 'user',
  uses: { table: 'read' },
  query: z.object({ company_id: CompanyIdText.optional().describe("By default the caller's own company.") }),
  returns: z.object({ presets: z.array(Preset) }).meta({ id: 'PresetList' }),
  refuses: ['forbidden', 'not found'],
  async handle({ query, ...library }) {
    return { presets: (await list(library, query.company_id)).map(presetJson) }
  },
})
