import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { INDEX_FILES } from './index-file.ts'

const ARRIVING = '.arriving'

/** Path of a company's index. */
export function indexPath(directory: string, companyId: number): string {
  return join(directory, `${companyId}.sqlite`)
}

/** Deletes an index that isn't open. */
export function deleteIndex(path: string): void {
  for (const suffix of INDEX_FILES) rmSync(path + suffix, { force: true })
}

/** Path of an incomplete index from a snapshot. */
export function arrivingPath(path: string): string {
  return `${path}.${randomUUID()}${ARRIVING}`
}

/** Deletes incomplete indexes of earlier processes. */
export function deleteArriving(directory: string): void {
  for (const name of readdirSync(directory)) if (name.endsWith(ARRIVING)) rmSync(join(directory, name), { force: true })
}

/** Bytes of each company's index, with its incomplete file. */
export function indexSizes(directory: string): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const name of readdirSync(directory)) {
    const companyId = Number(/^(\d+)\.sqlite(-wal|-shm|\.[\w-]+\.arriving)?$/.exec(name)?.[1])
    if (Number.isNaN(companyId)) continue
    const { size = 0 } = statSync(join(directory, name), { throwIfNoEntry: false }) ?? {}
    sizes.set(companyId, (sizes.get(companyId) ?? 0) + size)
  }
  return sizes
}
