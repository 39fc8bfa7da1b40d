import { open } from 'node:fs/promises'

/** Syncs a file, or the names in a folder. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync().catch((error: NodeJS.ErrnoException) => {
    // Some systems can't sync folders, and needn't.
    if (error.code !== 'EPERM' && error.code !== 'EISDIR' && error.code !== 'EINVAL') throw error
  })
}
