import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files of an index: the database and its write-ahead log. */
const SUFFIXES = ['', '-wal', '-shm']

/** Where a company's index is. */
export function indexPath(directory: string, companyId: number): string {
  return join(directory, `${companyId}.sqlite`)
}

/** Deletes an index that isn't open. */
export function deleteIndex(path: string): void {
  for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true })
}

/** Bytes that each company's index takes. */
export function indexSizes(directory: string): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const name of readdirSync(directory)) {
    const companyId = Number(/^(\d+)\.sqlite(-wal|-shm)?$/.exec(name)?.[1])
    if (Number.isNaN(companyId)) continue
    const { size = 0 } = statSync(join(directory, name), { throwIfNoEntry: false }) ?? {}
    sizes.set(companyId, (sizes.get(companyId) ?? 0) + size)
  }
  return sizes
}
