import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import type { EntryFile } from '../../../shared/library/stock/items.ts'
import { defaultSettings } from '../../../shared/settings.ts'

/** The problem with a manifest's file, in words that follow its path. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

/** Bytes read at a time. */
const READ_BYTES = 1024 * 1024

/** The system's codes for unusable paths. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  ELOOP: 'is a link that leads to itself',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  ENAMETOOLONG: 'is too long a path',
}

/**
 * A file of a manifest, by its path from the manifest's folder. May be a link within that folder.
 * @param folder real path of the manifest's folder
 * @throws FileRefused
 */
export async function entryFile(folder: string, path: string): Promise<EntryFile> {
  if (isAbsolute(path) || path.includes('\0') || !isWithin(folder, resolve(folder, path)))
    throw new FileRefused('is not in the folder of the manifest')
  const real = await known(realpath(resolve(folder, path)))
  if (!isWithin(folder, real)) throw new FileRefused('leads out of the folder of the manifest')
  const found = await known(stat(real))
  if (!found.isFile()) throw new FileRefused('is not a file')
  const { size: bytes, ino, dev } = found
  if (bytes === 0) throw new FileRefused('is empty')
  if (bytes > defaultSettings.maxUploadBytes) throw new FileRefused(`is larger than ${defaultSettings.maxUploadBytes} bytes`)

  const openFile = async () => {
    // The path may have changed: opens it without blocking, and without following links.
    const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const now = await handle.stat()
    if (now.ino === ino && now.dev === dev && now.size === bytes && now.isFile()) return handle
    await handle.close()
    throw new Error(`The file ${path} has changed while it was imported. Run the command again.`)
  }
  const stream = async () => (await openFile()).createReadStream({ highWaterMark: READ_BYTES, end: bytes - 1 })
  let digest: Promise<string> | undefined
  const sha256 = async () => {
    const hash = createHash('sha256')
    for await (const chunk of await stream()) hash.update(chunk)
    return hash.digest('hex')
  }
  return {
    name: basename(path),
    bytes,
    open: stream,
    sha256() {
      digest ??= sha256()
      return digest
    },
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** @throws FileRefused */
async function known<T>(looking: Promise<T>): Promise<T> {
  try {
    return await looking
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new FileRefused(reasons[code] ?? `can't be read (${message})`)
  }
}
