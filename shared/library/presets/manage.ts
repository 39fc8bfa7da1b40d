import type { CompanyId, PresetId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { type Preset, type PresetClaim, presetClaimKey, presetsChange, presetsOf, presetsRecord, presetTag } from './preset.ts'
import { checkQuery } from './query.ts'

/** Most presets of a company. */
export const MAX_PRESETS = 100

/** Names and queries, as admins choose them. */
export type PresetInput = Pick<Preset, 'name' | 'query'>

/** The requested company; the caller's own by default. @throws NotFound, Forbidden unless the caller is its admin */
function companyFor({ access }: AuthorizedReading, asked: CompanyId | undefined): CompanyId {
  const companyId = asked ?? access.companyIds[0]
  if (companyId === undefined) throw new NotFound('company')
  requireAdmin({ access }, companyId)
  return companyId
}

/** The presets of a company, oldest first. @throws NotFound, Forbidden */
export async function listPresets(library: AuthorizedReading, companyId?: CompanyId): Promise<Preset[]> {
  return presetsOf(library, companyFor(library, companyId))
}

/** @throws NotFound, Forbidden, and what `addPreset` throws */
export async function createPreset(library: AuthorizedWriting, asked: CompanyId | undefined, input: PresetInput): Promise<Preset> {
  return addPreset(library, companyFor(library, asked), input)
}

/** Adds a preset, whoever asks for it. @throws Invalid, Conflict `preset_exists`, `too_many_presets` */
export async function addPreset(library: Writing, companyId: CompanyId, { name, query }: PresetInput): Promise<Preset> {
  checkQuery(query)
  const add = async (presetId: PresetId) => {
    const { table, clock, by } = library
    const record = await presetsRecord(library, companyId)
    const { presets = [] } = record ?? {}
    requireFreeName(presets, name)
    if (presets.length >= MAX_PRESETS) throw new Conflict(`A company has at most ${MAX_PRESETS} presets.`, 'too_many_presets')
    const preset: Preset = { presetId, name, query, created: clock.now(), by }
    const claim: PresetClaim = { ...presetClaimKey(presetId), companyId, presetId }
    await table.transact({
      claim: { put: claim, if: { pk: { exists: false } } },
      ...presetsChange(library, companyId, record, { presets: [...presets, preset] }),
    })
    return preset
  }
  return retryOnConflict(() => withFreshId(add))
}

/** Changes name or query. Absent values stay. @throws NotFound, Forbidden, Invalid, Conflict `preset_exists` */
export async function changePreset(library: AuthorizedWriting, presetId: PresetId, change: Partial<PresetInput>): Promise<Preset> {
  return retryOnConflict(async () => {
    const { companyId, record, presets, preset } = await requirePreset(library, presetId)
    if (change.query !== undefined) checkQuery(change.query)
    const { name = preset.name, query = preset.query } = change
    if (name === preset.name && query === preset.query) return preset
    requireFreeName(
      presets.filter((each) => each !== preset),
      name,
    )
    const after: Preset = { ...preset, name, query, by: library.by }
    await library.table.transact(
      presetsChange(library, companyId, record, {
        presets: presets.map((each) => (each === preset ? after : each)),
        stale: [presetTag(companyId, preset.name)],
      }),
    )
    return after
  })
}

/** @throws NotFound, Forbidden */
export async function deletePreset(library: AuthorizedWriting, presetId: PresetId): Promise<void> {
  await retryOnConflict(async () => {
    const { companyId, record, presets, preset } = await requirePreset(library, presetId)
    await library.table.transact({
      claim: { delete: presetClaimKey(presetId) },
      ...presetsChange(library, companyId, record, {
        presets: presets.filter((each) => each !== preset),
        stale: [presetTag(companyId, preset.name)],
      }),
    })
  })
}

function requireFreeName(presets: readonly Preset[], name: string): void {
  if (presets.some((each) => each.name === name)) throw new Conflict(`There is a preset ${name} already.`, 'preset_exists')
}

/** A preset of a company that the caller is admin of. @throws NotFound also for other companies, Forbidden for members who aren't admins */
async function requirePreset(library: AuthorizedReading, presetId: PresetId) {
  const { table, access } = library
  const claim = await table.get<PresetClaim>(presetClaimKey(presetId))
  if (!claim || !access.isMember(claim.companyId)) throw new NotFound('preset')
  const { companyId } = claim
  requireAdmin({ access }, companyId)
  const record = await presetsRecord(library, companyId)
  const presets = record?.presets ?? []
  const preset = presets.find((each) => each.presetId === presetId)
  if (!preset) throw new NotFound('preset')
  return { companyId, record, presets, preset }
}
