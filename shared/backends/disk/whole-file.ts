import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read (0600) and that appears, or is replaced, whole or not at all, also when power fails. */
export async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`
  try {
    await using file = await open(temporary, 'wx', 0o600)
    await file.writeFile(contents)
    await file.sync()
    await rename(temporary, path)
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
  } finally {
    await rm(temporary, { force: true })
  }
}
