import { renameSync, rmSync } from 'node:fs'
import { INDEX_FORMAT } from '../index-file.ts'
import { arrivingPath } from '../index-folder.ts'
import { IndexBehind, IndexTooLarge } from '../port.ts'
import { unpack } from './compressed-file.ts'
import { DamagedSnapshot, type IndexSnapshot, type IndexSnapshots } from './port.ts'

export interface RestoreOptions {
  companyId: number
  /** Path of the index file, where none is. */
  path: string
  snapshots: IndexSnapshots
  /** Largest index file. */
  maxBytes?: number
  /** Makes room for a file of so many bytes. */
  makeRoom?: (bytes: number) => void
}

/**
 * Writes a company's index file from its newest snapshot, or from the one before where that is damaged.
 * @param unusable names of unusable snapshots. Adds those found here
 * @returns the snapshot; undefined where the company is small and has none
 * @throws IndexBehind where it has none that can be used, and isn't small; IndexTooLarge, ObjectsUnavailable, errors of the disk
 */
export async function restore(options: RestoreOptions, unusable: Set<string>): Promise<IndexSnapshot | undefined> {
  const { companyId, path, snapshots, maxBytes = Infinity, makeRoom } = options
  const found = await snapshots.find(companyId, INDEX_FORMAT)
  for (const snapshot of found) {
    if (unusable.has(snapshot.name)) continue
    if (snapshot.bytes > maxBytes) throw new IndexTooLarge(`there is no room for the index of company ${companyId}`)
    makeRoom?.(snapshot.bytes)
    const arriving = arrivingPath(path)
    try {
      await unpack(snapshot, arriving)
      renameSync(arriving, path)
      return snapshot
    } catch (error) {
      rmSync(arriving, { force: true })
      if (!(error instanceof DamagedSnapshot)) throw error
      unusable.add(snapshot.name)
      await snapshots.isUnusable(companyId, snapshot, error)
    }
  }
  if (found.length > 0) throw new IndexBehind(`no snapshot of the index of company ${companyId} can be used`)
  return undefined
}
