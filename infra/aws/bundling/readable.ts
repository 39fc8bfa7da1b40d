import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a folder and everything in it readable for all users, whatever the operator's umask is. Packages of functions keep the modes of their
 * files, and Lambda runs functions as another user. What its owner may execute, all may.
 */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A link has no mode of its own.
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const isExecutable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0
    await chmod(path, isExecutable ? 0o755 : 0o644)
  }
}
