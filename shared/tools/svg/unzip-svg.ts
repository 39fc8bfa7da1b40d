import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ToolFailed } from '../failure.ts'

/** Largest SVG that is unzipped, in bytes. */
const MAX_BYTES = 64 * 1024 ** 2

/**
 * Writes the SVG of a `.svgz` file.
 * @param into folder for the file
 * @returns its path
 * @throws ToolFailed if it is damaged or too large, and the system's errors
 */
export async function unzipSvg(path: string, into: string): Promise<string> {
  const svg = join(into, `${randomUUID()}.svg`)
  await pipeline(createReadStream(path), createGunzip(), limited(), createWriteStream(svg)).catch((error: unknown) => {
    throw error instanceof Error && 'errno' in error && !('syscall' in error)
      ? new ToolFailed('the SVG is damaged', { cause: error })
      : error
  })
  return svg
}

function limited(): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) done(new ToolFailed(`the SVG has more than ${MAX_BYTES} bytes`))
      else done(null, chunk)
    },
  })
}
