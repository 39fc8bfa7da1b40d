import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import xz from 'xz-decompress'

/** A package of Debian: where it is below `pool/`, and its digest as Debian's signed index has it. */
export interface DebianPackage {
  path: string
  sha256: string
}

/** The archive of today, which drops a version when the next is there, and the one that keeps all. A date leads to the archive of that day. */
const archives = ['https://deb.debian.org/debian', 'https://snapshot.debian.org/archive/debian/20261122T000000Z']

const MINUTE = 60_000
/** The `ar` format: the magic, and a member's header with its name in 16 characters and its size in 10 from the 48th. */
const MAGIC = '!<arch>\n'
const HEADER_BYTES = 60

/** Downloads a package and checks its digest. @throws Error that says what each archive answered */
export async function downloaded({ path, sha256 }: DebianPackage): Promise<Buffer> {
  const problems: string[] = []
  for (const archive of archives) {
    const url = `${archive}/pool/${path}`
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5 * MINUTE) })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
      throw new Error('another file than that which was checked')
    } catch (error) {
      problems.push(`${url}: ${(error as Error).message}`)
    }
  }
  throw new Error(problems.join('; '))
}

/** Unpacks the files of a package into a folder. Needs `tar`, which every system has, but neither `ar` nor `xz`. */
export async function unpacked(deb: Buffer, folder: string): Promise<void> {
  const data = memberOf(deb, 'data.tar.xz')
  const source = ReadableStream.from([new Uint8Array(data)])
  const tar = `${folder}/data.tar`
  await writeFile(tar, await new Response(new xz.XzReadableStream(source)).bytes())
  await promisify(execFile)('tar', ['-x', '-f', tar, '-C', folder])
}

/** The bytes of a member of an `ar` archive. @throws Error when there is none of that name */
export function memberOf(archive: Buffer, name: string): Buffer {
  if (archive.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('not an ar archive')
  for (let at = MAGIC.length; at + HEADER_BYTES <= archive.length; ) {
    const header = archive.toString('latin1', at, at + HEADER_BYTES)
    const size = Number.parseInt(header.slice(48, 58), 10)
    const start = at + HEADER_BYTES
    // GNU's ar ends a name with a slash.
    if (header.slice(0, 16).trimEnd().replace(/\/$/, '') === name) return archive.subarray(start, start + size)
    at = start + size + (size % 2)
  }
  throw new Error(`the archive has no ${name}`)
}
