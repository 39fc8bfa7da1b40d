import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { company } from '../admin/calls.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { session } from '../session.svelte.ts'

/** How published pictures look, by a name. */
export type Preset = Schemas['Preset']

/** Presets of the company that is looked after. */
export const listPresets = (): Promise<Preset[]> => presetsOf(company())

/** Presets by company, of those whose admin the user is: others may not list them. */
export async function presetsByCompany(): Promise<ReadonlyMap<number, readonly Preset[]>> {
  const companies = session.user?.company_ids ?? []
  return new Map(await Promise.all(companies.map(async (id) => [id, await presetsOf(id).catch(noneIfForbidden)] as const)))
}

const presetsOf = async (id: number): Promise<Preset[]> =>
  (await dataOf(api.GET('/preset', { params: { query: { company_id: id } } }))).presets

function noneIfForbidden(error: unknown): Preset[] {
  if (error instanceof MediaLibraryError && error.status === 403) return []
  throw error
}

/** @param preset that is changed; absent for a new one */
export const savePreset = (body: { name: string; query: string }, preset?: Preset): Promise<Preset> =>
  dataOf(preset ? api.POST('/preset/{id}', { params: { path: { id: preset.id } }, body }) : api.POST('/preset', { body }))

export const deletePreset = ({ id }: Preset) => dataOf(api.DELETE('/preset/{id}', { params: { path: { id } } }))
