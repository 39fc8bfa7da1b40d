import type { Changes, Condition, Table } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../conditional.ts'
import type { Due } from '../due.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import {
  CLAIM_MS,
  claimOf,
  downloadKey,
  keptFrom,
  newOwner,
  type PreparedDownload,
  preparedPartition,
  type StoredDownload,
} from './prepared.ts'
import type { Source } from './source.ts'

/*
 * Every write names the owner of the record that was read: the owner changes with each change of state, so a write is lost where another one
 * was faster, and says so.
 */

type Storing = Pick<Writing, 'table' | 'clock'>

/** The record of a copy at the version that was read of its file. */
export function findDownload({ table }: Reading, { media, variant }: Source): Promise<StoredDownload | undefined> {
  return table.get<StoredDownload>(downloadKey(media.mediaId, media.version, variant))
}

/** All prepared downloads of a file. */
export function downloadsOf({ table }: Reading, mediaId: MediaId): Promise<StoredDownload[]> {
  return Array.fromAsync(everyItem<StoredDownload>(table, { pk: preparedPartition(mediaId), consistent: true }))
}

/** Makes the caller the owner. @returns undefined where another one was faster */
export async function claim(
  { table, clock }: Storing,
  source: Source,
  before: StoredDownload | undefined,
): Promise<StoredDownload | undefined> {
  const claimed = claimOf(source, before, clock.now())
  const condition: Condition = before ? { owner: { equals: before.owner } } : { pk: { exists: false } }
  return (await held(table.put(claimed, condition))) ? claimed : undefined
}

/** Says that the owner goes on. */
export function goOn({ table, clock }: Storing, claimed: StoredDownload): Promise<boolean> {
  return change(table, claimed, { set: { until: clock.now() + CLAIM_MS } })
}

/** Offers what the owner made. @param copy undefined where the file can't be written @returns undefined where another one owns it by now */
export async function settle(
  { table, clock }: Storing,
  claimed: StoredDownload,
  copy: PreparedDownload['copy'],
): Promise<StoredDownload | undefined> {
  const settled = { state: 'ready' as const, copy, ...keptFrom({ ...claimed, copy }, clock.now()) }
  return (await change(table, claimed, { set: settled })) ? { ...claimed, ...settled } : undefined
}

/** Keeps a copy for longer that is being used. @returns whether it may be */
export function keep({ table, clock }: Storing, download: StoredDownload): Promise<boolean> {
  return change(table, download, { set: keptFrom(download, clock.now()) }, { state: { equals: 'ready' } })
}

/** Lets the copies of older versions go, once no URL of them is good any more. */
export async function supersede({ table, clock }: Storing, mediaId: MediaId): Promise<void> {
  const ready = (await downloadsOf({ table }, mediaId)).filter(({ state }) => state === 'ready')
  const newest = Math.max(...ready.map(({ version }) => version))
  const older = ready.filter(({ version, superseded }) => version < newest && !superseded)
  await Promise.all(
    older.map((each) => change(table, each, { set: { superseded: true, ...keptFrom({ ...each, superseded: true }, clock.now()) } })),
  )
}

/**
 * Ends the life of a copy, before its objects are removed.
 * @param due when the record is removed, if not by the caller
 * @returns the record as the remover owns it; undefined where another one was faster
 */
export async function expire({ table }: Pick<Storing, 'table'>, download: StoredDownload, due?: Due): Promise<StoredDownload | undefined> {
  const { state, dueAt } = download
  const expired = { state: 'expired' as const, owner: newOwner(), ...due }
  const isSo = await change(table, download, { set: expired }, { state: { equals: state }, dueAt: { equals: dueAt } })
  return isSo ? { ...download, ...expired } : undefined
}

/** Removes the record of its owner. */
export function forget({ table }: Pick<Storing, 'table'>, { pk, sk, owner }: StoredDownload): Promise<boolean> {
  return held(table.delete({ pk, sk }, { owner: { equals: owner } }))
}

function change(table: Table, { pk, sk, owner }: StoredDownload, changes: Changes, condition: Condition = {}): Promise<boolean> {
  return held(table.update({ pk, sk }, changes, { owner: { equals: owner }, ...condition }))
}
