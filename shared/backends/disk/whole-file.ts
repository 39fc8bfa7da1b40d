import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file atomically and durably, even if power fails. Only its owner may read it (0600). */
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
