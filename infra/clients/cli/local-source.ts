import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { UploadSource } from '../client/client.ts'
import { exitCodes, Failure } from './exit-code.ts'
import type { LocalFile } from './local-tree.ts'

/** Files up to this size are read whole, which is faster than a stream. */
const WHOLE = 2 ** 20

/** A file on the disk as the source of an upload. Rejects if the file has changed since the walk. */
export function localSource(file: LocalFile): UploadSource {
  const { name, path, bytes } = file
  return {
    name,
    size: bytes,
    async slice(from, to) {
      if (bytes <= WHOLE) return readWhole(file)
      await checkUnchanged(file)
      // A Blob rejects if its file changes during the read.
      return (await openAsBlob(path)).slice(from, to)
    },
  }
}

async function readWhole(file: LocalFile): Promise<Uint8Array<ArrayBuffer>> {
  const handle = await open(file.path)
  try {
    const content = new Uint8Array(file.bytes)
    let filled = 0
    while (filled < content.length) {
      const { bytesRead } = await handle.read(content, filled)
      if (bytesRead === 0) throw changed(file)
      filled += bytesRead
    }
    const { size, mtimeMs } = await handle.stat()
    if (size !== file.bytes || mtimeMs !== file.modified) throw changed(file)
    return content
  } finally {
    await handle.close()
  }
}

/** @throws Failure if a file has changed since the walk */
export async function checkUnchanged(file: LocalFile): Promise<void> {
  const { size, mtimeMs } = await stat(file.path)
  if (size !== file.bytes || mtimeMs !== file.modified) throw changed(file)
}

const changed = ({ path }: LocalFile) => new Failure(exitCodes.someFailed, `${path} changed while it was read.`)

/** MD5 of a file, in hex. */
export async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 })) hash.update(chunk)
  return hash.digest('hex')
}
