import { isDeepStrictEqual } from 'node:util'
import { readAliasPresets } from '../links/presets.ts'
import { ALIASES } from '../links/public-keys.ts'
import { publishedForms } from '../links/publish-presets.ts'
import { type PresetsRecord, presetPublication, presetsRecord } from '../presets/preset.ts'
import { findAlias } from '../tree/system-folders.ts'
import { idIn } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Presets are published within seconds. */
const PUBLISHED_WITHIN_MS = 86_400_000
const ASKED_WITHIN_MS = 3_600_000

/** Yields the problems of what is published of a company's presets. */
export async function* checkPresets(library: Library, record: PresetsRecord): AsyncGenerator<Problem> {
  const { table, clock, publicFiles } = library
  const company_id = idIn<never>(record.pk)
  if (record.published !== record.revision) {
    if (record.changed < clock.now() - PUBLISHED_WITHIN_MS) yield problem('presets_stuck', { company_id })
    const isOld = record.changed < clock.now() - ASKED_WITHIN_MS
    if (isOld && !(await presetPublication.find({ table }, String(company_id)))) yield problem('presets_without_job', { company_id })
    return
  }
  if (!publicFiles) return
  // The record may have changed since it was found.
  const current = await presetsRecord({ table }, company_id)
  for (const [alias, form] of await publishedForms({ table }, company_id, current)) {
    const { modified: _, ...known } = (await readAliasPresets(publicFiles, alias)) ?? { modified: 0 }
    if (!isDeepStrictEqual(known, form ?? {})) yield problem('presets_not_published', { company_id, alias })
  }
}

/** Whether an object of the public bucket says what renderers know of an alias. */
export const isAliasObject = (object: string): boolean => object.startsWith(ALIASES)

/** Yields the problems of such an object. Nothing is wrong while it is being removed. */
export async function* checkAliasObject({ table, publicFiles }: Library, object: string): AsyncGenerator<Problem> {
  const alias = object.slice(ALIASES.length, -'.json'.length)
  const companyId = (await findAlias({ table }, alias))?.companyId
  if (companyId !== undefined) {
    const record = await presetsRecord({ table }, companyId)
    if (record?.published !== record?.revision || (await publishedForms({ table }, companyId, record)).get(alias)) return
  }
  if (await publicFiles?.head(object)) yield problem('public_object_unexpected', { object })
}
