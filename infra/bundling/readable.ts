import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Lets everybody read a folder and all in it: the modes of files go into the packages of functions, and Lambda runs them as another user
 * than made them. What the operator's umask took is given back.
 */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A link has no mode of its own.
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}
