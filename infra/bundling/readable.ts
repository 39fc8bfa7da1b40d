import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a folder and everything in it readable for all users, whatever the operator's umask is. Packages of functions keep the modes of their
 * files, and Lambda runs functions as another user.
 */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A link has no mode of its own.
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}
