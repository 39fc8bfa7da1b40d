import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { PresetIdText } from '../../shared/http/declaration/fields.ts'
import { changePreset as change } from '../../shared/library/presets/manage.ts'
import { Preset, PresetName, PresetQuery, presetJson } from './preset-schema.ts'

export const changePreset = endpoint({
  route: 'POST /preset/{id}',
  summary: 'Change name or query of a preset; admins only',
  description:
    'For admins of the company. A field that is absent stays as it is. Links by it show the change within 20 seconds; under the former name they are ' +
    '404. 409 `preset_exists` where another preset has the name.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: PresetIdText },
  body: z
    .strictObject({ name: PresetName.optional(), query: PresetQuery.optional() })
    .meta({ id: 'PresetInput', examples: [{ query: 'width=480&output_format=auto' }] }),
  returns: Preset,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, body, ...library }) {
    return presetJson(await change(library, params.id, body))
  },
})
