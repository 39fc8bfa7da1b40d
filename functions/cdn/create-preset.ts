import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdJson } from '../../shared/http/declaration/fields.ts'
import { createPreset as create, MAX_PRESETS } from '../../shared/library/presets/manage.ts'
import { Preset, PresetName, PresetQuery, presetJson } from './preset-schema.ts'

export const createPreset = endpoint({
  route: 'POST /preset',
  summary: 'Give a transformation of links a name; admins only',
  description:
    "For admins of the company. Links of the company's aliases show it by `preset=NAME`, besides which only `dpr` and `output_format` are read: the " +
    "link's count. What a link would ignore is 400 here: wrong values, unknown parameters, a query that changes nothing. A company has at most " +
    `${MAX_PRESETS} presets: 409 \`too_many_presets\`. 409 \`preset_exists\` where another has the name.`,
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  body: z
    .object({
      name: PresetName,
      query: PresetQuery,
      company_id: CompanyIdJson.optional().describe("by default the caller's own company"),
    })
    .meta({ id: 'NewPreset' }),
  returns: Preset,
  refuses: ['forbidden', 'not found', 'conflict'],
  async handle({ body: { company_id: companyId, ...input }, ...library }) {
    return presetJson(await create(library, companyId, input))
  },
})
