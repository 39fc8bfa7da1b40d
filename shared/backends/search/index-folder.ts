import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { INDEX_FILES } from './index-file.ts'

const ARRIVING = '.arriving'

/** Where a company's index is. */
export function indexPath(directory: string, companyId: number): string {
  return join(directory, `${companyId}.sqlite`)
}

/** Deletes an index that isn't open. */
export function deleteIndex(path: string): void {
  for (const suffix of INDEX_FILES) rmSync(path + suffix, { force: true })
}

/** Where an index that comes from a snapshot is until it is whole. */
export function arrivingPath(path: string): string {
  return `${path}.${randomUUID()}${ARRIVING}`
}

/** Deletes what did not arrive before the process ended. */
export function deleteArriving(directory: string): void {
  for (const name of readdirSync(directory)) if (name.endsWith(ARRIVING)) rmSync(join(directory, name), { force: true })
}

/** Bytes that each company's index takes, with what is arriving of it. */
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
