import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, PresetIdText } from '../../shared/http/declaration/fields.ts'
import { deletePreset as remove } from '../../shared/library/presets/manage.ts'

export const deletePreset = endpoint({
  route: 'DELETE /preset/{id}',
  summary: 'Remove a preset; admins only',
  description: 'For admins of the company. Links by it are 404 within 20 seconds.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: PresetIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await remove(library, params.id)
    return {}
  },
})
