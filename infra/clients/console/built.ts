import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const projectRoot = join(import.meta.dirname, '../../..')
const sources = join(import.meta.dirname, 'app')
const compilers = ['build.ts', '../../../package-lock.json'].map((path) => join(import.meta.dirname, path))

/** Follows from the sources of the console and from what compiles them: 16 hexadecimal digits. */
export function consoleVersion(): string {
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...files, ...compilers]) {
    const contents = readFileSync(file)
    hash.update(`${file.slice(projectRoot.length)} ${contents.length}\n`).update(contents)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Where a version is, or will be. */
export const versionDirectory = (version: string): string => join(projectRoot, 'dist/console', version)

export const isBuilt = (version: string): boolean => existsSync(join(versionDirectory(version), 'index.html'))

/**
 * The folder of the built console, which is built now where that wasn't done yet. A process of its own builds it: the compiler takes 200 MB.
 * @throws Error with the compiler's words
 */
export async function builtConsole(): Promise<string> {
  const version = consoleVersion()
  if (!isBuilt(version)) await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build.ts')], { cwd: projectRoot })
  return versionDirectory(version)
}
