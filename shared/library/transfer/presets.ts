import * as z from 'zod'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { PRESET_NAME } from '../../vocabulary/link-query.ts'
import { LibraryError } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { addPreset } from '../presets/manage.ts'
import { presetsOf } from '../presets/preset.ts'

/** `presets.json` of an export: the presets of the company, oldest first. */
export const PresetsFile = z.object({ presets: z.array(z.object({ name: z.string().regex(PRESET_NAME), query: z.string() })) })
export type PresetsFile = z.infer<typeof PresetsFile>

/** @returns undefined where the company has none */
export async function presetsFileOf(library: Reading, companyId: CompanyId): Promise<PresetsFile | undefined> {
  const presets = await presetsOf(library, companyId)
  return presets.length > 0 ? { presets: presets.map(({ name, query }) => ({ name, query })) } : undefined
}

/** Creates the presets of an export whose names the company doesn't have. @returns sentences about what was left out */
export async function applyPresets(library: Writing, companyId: CompanyId, { presets }: PresetsFile): Promise<string[]> {
  const warnings: string[] = []
  for (const { name, query } of presets) {
    const known = (await presetsOf(library, companyId)).find((each) => each.name === name)
    if (known?.query === query) continue
    try {
      await addPreset(library, companyId, { name, query })
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error
      warnings.push(`The preset ${name} is left out: ${error.message}`)
    }
  }
  return warnings
}
