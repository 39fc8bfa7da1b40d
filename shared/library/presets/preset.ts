import type { Key, Operations } from '../../backends/table/port.ts'
import type { CompanyId, PresetId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { asRead } from '../concurrency/conditional.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { companyPartition } from '../tree/folder.ts'

/** A transformation with a name, for the pictures of a company's links: `preset=card`. */
export type Preset = {
  presetId: PresetId
  /** Unique in its company. */
  name: string
  /** Parameters of a link, as an admin wrote them. */
  query: string
  /** UNIX milliseconds */
  created: number
  by: Actor
}

/**
 * The presets of a company: one record, because they are read together, and every change is checked against all of them. Also what a job has to
 * publish of them.
 */
export type PresetsRecord = Key & {
  /** Oldest first. */
  presets?: Preset[]
  /** Counts the changes of presets, and of the company's aliases: each has to be published. */
  revision: number
  /** Time of the last one, in UNIX milliseconds. */
  changed: number
  /** The revision that the public bucket holds. */
  published?: number
  /** What edges are to forget with the next publication: cache tags, and prefixes of paths, which begin with `/`. */
  stale?: string[]
  /** Aliases whose objects the next publication removes. */
  removed?: string[]
}

/** Claims an id among all companies. */
export type PresetClaim = Key & { companyId: CompanyId; presetId: PresetId }

export const presetsKey = (companyId: CompanyId): Key => ({ pk: companyPartition(companyId), sk: 'PRESETS' })
export const presetClaimKey = (presetId: PresetId): Key => ({ pk: `PRESET#${presetId}`, sk: 'PRESET' })

/** What is known of a company's presets; undefined where it never had any, nor an alias. */
export async function presetsRecord({ table }: Reading, companyId: CompanyId): Promise<PresetsRecord | undefined> {
  return table.get<PresetsRecord>(presetsKey(companyId))
}

/** A company's presets, oldest first. */
export async function presetsOf(library: Reading, companyId: CompanyId): Promise<Preset[]> {
  return (await presetsRecord(library, companyId))?.presets ?? []
}

/** The tag of all that edges keep of pictures by a preset. Tags ignore case, and names have none. */
export const presetTag = (companyId: CompanyId, name: string): string => `preset-${companyId}-${name}`

/** Publishes the presets of a company. Its subject is the company. */
export const presetPublication = new JobKind<null>('publish-presets')

/** A change of what is published for a company's links. */
export interface PresetsChange {
  /** All presets after it; absent: they stay. */
  presets?: Preset[]
  /** What edges keep that is old by then (`PresetsRecord.stale`). */
  stale?: readonly string[]
  /** Aliases that the company no longer has. */
  removed?: readonly string[]
}

/** The names of the writes below by which `ConditionFailed` tells that somebody was faster. */
export const PRESETS_CHANGED = 'presets record'

/**
 * The writes of a change, which also ask for its publication. They belong into the transaction that makes the change.
 * @param record as it was read: the writes fail where it has changed since
 */
export function presetsChange(
  library: Pick<Writing, 'clock' | 'by'>,
  companyId: CompanyId,
  record: PresetsRecord | undefined,
  { presets, stale = [], removed = [] }: PresetsChange,
): Operations {
  const set = {
    ...(presets && { presets }),
    changed: library.clock.now(),
    stale: [...new Set([...(record?.stale ?? []), ...stale])],
    removed: [...new Set([...(record?.removed ?? []), ...removed])],
  }
  const unchanged = { revision: asRead(record?.revision) }
  return {
    [PRESETS_CHANGED]: { update: presetsKey(companyId), changes: { set, add: { revision: 1 } }, if: unchanged },
    'presets job': presetPublication.ask(library, { companyId, subject: String(companyId), input: null }),
  }
}
