import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** In the project: the system's temporary folder is shared with other users, whose files of the same name could be neither read nor replaced. */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/media-library-tests')

/** Where tests and benches keep what takes long to make, for each other and for the next run. `npm ci` removes all of it. */
export function keptPath(name: string): string {
  mkdirSync(FOLDER, { recursive: true })
  return join(FOLDER, name)
}

/**
 * The kept file of this name, made when it isn't there. Processes may make it at the same time.
 * @param make writes the file; the path that it gets has the extension of the name
 */
export async function madeOnce(name: string, make: (path: string) => Promise<unknown>): Promise<string> {
  const path = keptPath(name)
  if (existsSync(path)) return path
  const unfinished = keptPath(`${randomUUID()}${extname(name)}`)
  await make(unfinished)
  await rename(unfinished, path)
  return path
}
