import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const READ_BYTES = 1024 * 1024

/**
 * Writes a file of an export, unless an earlier part of the export has written it.
 * @returns its SHA-256; undefined where the bytes of the library have another MD5
 */
export async function writeWhole(
  file: string,
  of: { bytes: number; md5?: string | undefined },
  open: () => Promise<{ stream: AsyncIterable<Uint8Array> }>,
): Promise<string | undefined> {
  return (await sumThere(file, of)) ?? write(await open(), file, of.md5)
}

/** The SHA-256 of a file that an earlier part of the export wrote; undefined where it isn't there, or isn't whole. */
async function sumThere(file: string, { bytes, md5 }: { bytes: number; md5?: string | undefined }): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined)
  if (!found) return undefined
  if (found.isFile() && found.size === bytes) {
    const digest = digesting(createReadStream(file, { highWaterMark: READ_BYTES }))
    for await (const _chunk of digest.chunks);
    if (digest.md5() === md5) return digest.sha256()
  }
  await rm(file, { recursive: true })
  return undefined
}

/** @returns the SHA-256; undefined where the bytes have another MD5 */
async function write(
  { stream }: { stream: AsyncIterable<Uint8Array> },
  file: string,
  md5: string | undefined,
): Promise<string | undefined> {
  const digest = digesting(stream)
  await pipeline(digest.chunks, createWriteStream(file, { flags: 'wx' }))
  return digest.md5() === md5 ? digest.sha256() : undefined
}

/** Sums of what passes, in hex, asked for once at its end. */
function digesting(stream: AsyncIterable<Uint8Array>) {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  async function* chunks() {
    for await (const chunk of stream) {
      md5.update(chunk)
      sha256.update(chunk)
      yield chunk
    }
  }
  return { chunks: chunks(), md5: () => md5.digest('hex'), sha256: () => sha256.digest('hex') }
}
