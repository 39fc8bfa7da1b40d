import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Row } from './report.ts'

const execute = promisify(execFile)
const projectRoot = dirname(dirname(import.meta.dirname))

/**
 * Disk that the packages may take, in MB. Of Node's own package 68 MB are C headers, of the Perl engine 24 MB are a second copy for
 * CommonJS: npm installs packages whole.
 */
const atMost = { all: 750, runtime: 350 }

/** `npm ci` in a fresh clone of what is committed, with an empty cache: how long it takes and how much it installs. */
export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'media-library-install-'))
  try {
    const clone = join(folder, 'clone')
    await execute('git', ['clone', '--quiet', '--depth', '1', `file://${projectRoot}`, clone])
    const install = (...flags: string[]) => execute('npm', ['ci', '--cache', join(folder, 'cache'), ...flags], { cwd: clone })
    const started = performance.now()
    await install()
    const seconds = (performance.now() - started) / 1000
    const whole = await megabytes(join(clone, 'node_modules'))
    await install('--omit=dev')
    const runtime = await megabytes(join(clone, 'node_modules'))
    return [
      { what: 'npm ci in a fresh clone, nothing cached', value: seconds, unit: 's', atMost: 90 },
      { what: 'node_modules', value: whole, unit: 'MB', atMost: atMost.all },
      { what: 'node_modules without development dependencies', value: runtime, unit: 'MB', atMost: atMost.runtime },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Disk that a folder takes. */
async function megabytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  let blocks = 0
  const counted = new Set<number>()
  for (const name of names) {
    const { blocks: own, ino } = await lstat(join(folder, name))
    if (!counted.has(ino)) blocks += own
    counted.add(ino)
  }
  return (blocks * 512) / 1e6
}
