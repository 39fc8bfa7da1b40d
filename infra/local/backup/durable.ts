import { open } from 'node:fs/promises'

/** Brings a file, or the names in a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync().catch((error: NodeJS.ErrnoException) => {
    // Some systems sync no folders, and need not.
    if (error.code !== 'EPERM' && error.code !== 'EISDIR' && error.code !== 'EINVAL') throw error
  })
}
