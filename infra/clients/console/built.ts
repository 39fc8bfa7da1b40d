import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const projectRoot = join(import.meta.dirname, '../../..')
const folders = ['infra/clients/console/app', 'infra/clients/client']
/** What it and the client's uploader share with the service, and what compiles the console. */
const others = [
  ...['backoff', 'parallel', 'vocabulary/editable-fields', 'vocabulary/field-values', 'vocabulary/point'].map(
    (name) => `shared/${name}.ts`,
  ),
  ...['infra/clients/console/build.ts', 'package-lock.json'],
]

/** Paths of all files of which the console is made. */
export function consoleSources(): string[] {
  const entries = folders.flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return [...files, ...others.map((path) => join(projectRoot, path))].sort()
}

/** Follows from what the console is made of: 16 hexadecimal digits. */
export function consoleVersion(): string {
  const hash = createHash('sha256')
  for (const file of consoleSources()) {
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
