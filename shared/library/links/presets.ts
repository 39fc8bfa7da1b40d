import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { type AcceptedForms, linkParameters, linkQuery } from '../../vocabulary/link-query.ts'
import { Forbidden, NotFound } from '../errors.ts'
import { presetTag } from '../presets/preset.ts'
import { aliasTag, publicKeys } from './public-keys.ts'

/** What renderers know of an alias: an object of the public bucket. An alias without presets and without rules has none. */
export interface AliasPresets {
  companyId: CompanyId
  /** Whether pictures are transformed by presets alone. */
  presetsOnly: boolean
  /** Queries by name. */
  presets: Readonly<Record<string, string>>
}

/** The object, as stored in the public bucket. */
export interface StoredPresets extends AliasPresets {
  /** When it was stored, in UNIX milliseconds. */
  modified: number
}

/** A transformation that an alias allows. */
export interface ResolvedQuery {
  /** Canonical, without a preset. */
  query: string
  /** Cache tags of what is rendered of it, besides the link's own. */
  tags: readonly string[]
  /** Since when the preset may say so, in UNIX milliseconds; 0 without a preset. */
  modified: number
}

/** Reads what the public bucket says of an alias. @returns undefined where it says nothing */
export async function readAliasPresets(publicFiles: Pick<ObjectReader, 'get'>, alias: string): Promise<StoredPresets | undefined> {
  try {
    const { stream, modified } = await publicFiles.get(publicKeys.presets(alias))
    return parseAliasPresets(Buffer.concat(await stream.toArray()), modified)
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/** The object as it is stored. */
export const writeAliasPresets = ({ companyId, presetsOnly, presets }: AliasPresets): Uint8Array =>
  Buffer.from(JSON.stringify({ companyId, presetsOnly, presets }))

/** Reads the object as it is stored. @param modified when, in UNIX milliseconds */
export const parseAliasPresets = (bytes: Uint8Array, modified: number): StoredPresets => ({
  ...(JSON.parse(Buffer.from(bytes).toString()) as AliasPresets),
  modified,
})

/**
 * Replaces a preset by its query, with `dpr` and `output_format` of the link.
 * @param known what is said of the alias
 * @param query of the link, canonical, not empty
 * @throws NotFound `preset_not_found`, Forbidden `presets_only`
 */
export function resolveQuery(known: StoredPresets | undefined, alias: string, query: string): ResolvedQuery {
  const { preset, dpr, output_format, accept = '' } = Object.fromEntries(new URLSearchParams(query))
  if (preset === undefined) {
    requireFree(known)
    return { query, tags: [aliasTag(alias)], modified: 0 }
  }
  const own = known && Object.hasOwn(known.presets, preset) ? known.presets[preset] : undefined
  if (known === undefined || own === undefined) throw new NotFound('preset')
  const given = { ...linkParameters(own), preset: undefined, ...(dpr && { dpr }), ...(output_format && { output_format }) }
  const resolved = linkQuery(given, accept as AcceptedForms)
  return { query: resolved.query, tags: [presetTag(known.companyId, preset), aliasTag(alias)], modified: known.modified }
}

/** @throws Forbidden `presets_only` where an alias shows transformed pictures by presets alone */
export function requireFree(known: AliasPresets | undefined): void {
  if (known?.presetsOnly) throw new Forbidden('Links of this alias show transformed pictures by presets alone.', 'presets_only')
}

/** Whether the picture depends on what the client accepts. @param query canonical */
export const negotiates = (query: string): boolean => query.split('&').includes('output_format=auto')
