import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import { readBackupsIn, realPath } from './target.ts'

/** The folders that got backups of a data folder, in a file of it. */
const fileIn = (dataDirectory: string) => join(dataDirectory, 'backup-targets.json')

/** Folders that are kept in mind: the latest. */
const MOST = 20

function targetsOf(dataDirectory: string): string[] {
  try {
    const { targets } = JSON.parse(readFileSync(fileIn(dataDirectory), 'utf8'))
    return Array.isArray(targets) ? targets : []
  } catch {
    // It only helps the operator: without it nothing is known.
    return []
  }
}

export async function rememberTarget(dataDirectory: string, target: string): Promise<void> {
  const [path, known] = [resolve(target), targetsOf(dataDirectory)]
  if (known[0] === path) return
  const targets = [path, ...known.filter((each) => each !== path)].slice(0, MOST)
  await writeWhole(fileIn(dataDirectory), `${JSON.stringify({ targets }, null, 2)}\n`)
}

/** Where and how disks are mounted, as Linux tells it; other systems tell nothing. */
const mountTables = { wanted: '/etc/fstab', mounted: '/proc/self/mounts' }

/**
 * Why the disk of a folder for backups seems not to be mounted, in a sentence; undefined where it does. What is under an unmounted disk's path is
 * a folder of the system's disk.
 */
export function lackOfDisk(dataDirectory: string, target: string, tables = mountTables): string | undefined {
  const path = resolve(target)
  const real = realPathOf(path)
  const [mounted, wanted] = [mountPointsIn(tables.mounted), mountPointsIn(tables.wanted)]
  const missing = wanted.find((point) => `${real}/`.startsWith(`${point}/`) && !mounted.includes(point))
  if (missing !== undefined && mounted.length > 0) return `Nothing is mounted at ${missing}, where ${tables.wanted} has a disk.`
  if (targetsOf(dataDirectory).includes(path) && readBackupsIn(path).length === 0)
    return `${path} had backups of this library, and has none now.`
  return undefined
}

/** The path itself where it is none of a folder: what is wrong with it is said later. */
function realPathOf(path: string): string {
  try {
    return realPath(path)
  } catch {
    return path
  }
}

/** The second field of each line; characters in it may be octal. */
function mountPointsIn(table: string): string[] {
  let text: string
  try {
    text = readFileSync(table, 'utf8')
  } catch {
    return []
  }
  const fields = text.split('\n').map((line) => (line.trim().startsWith('#') ? '' : (line.trim().split(/\s+/)[1] ?? '')))
  return fields
    .filter((field) => field.startsWith('/') && field !== '/')
    .map((field) => field.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))).replace(/\/+$/, ''))
}
