import { coloursOfCodes } from './cicp.ts'
import { BT709, type Chromaticity, type Colours, gamma, type Primaries, spanColours } from './colours.ts'
import type { Read } from './read.ts'

/** Most chunks before the pixels that are read; ordinary files have about ten. */
const MAX_CHUNKS = 1_000
const told = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'])
const CHRM_BYTES = 32
/** Many programs write about 1/2.2 for sRGB. libpng and browsers only convert gammas that differ more than this share. */
const [GAMMA_OF_SRGB, NEAR] = [1 / 2.2, 0.05]

/** Reads colours by the PNG specification (third edition, 4.3): precedence is `cICP`, profile, `sRGB`, then `gAMA` with `cHRM`. */
export async function pngColours(read: Read): Promise<Colours | undefined> {
  const chunks = await readChunks(read)
  const codes = chunks.get('cICP')
  const byCodes = codes && codes.length >= 4 ? coloursOfCodes({ primaries: codes[0]!, transfer: codes[1]! }) : undefined
  if (byCodes) return byCodes
  const encoding = (chunks.get('gAMA')?.readUInt32BE() ?? 0) / 100_000
  if (chunks.has('iCCP') || chunks.has('sRGB') || encoding === 0) return undefined
  const primaries = primariesOf(chunks.get('cHRM'))
  if (!primaries && Math.abs(encoding / GAMMA_OF_SRGB - 1) <= NEAR) return undefined
  return { primaries: primaries ?? BT709, transfer: gamma(1 / encoding) }
}

async function readChunks(read: Read): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>()
  let at = 8
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const start = await read(at, 8 + CHRM_BYTES)
    const type = start.toString('latin1', 4, 8)
    if (start.length < 12 || type === 'IDAT') break
    const length = start.readUInt32BE()
    if (told.has(type) && length >= 1) found.set(type, start.subarray(8, 8 + Math.min(length, CHRM_BYTES)))
    at += 12 + length
  }
  return found
}

/** White, red, green and blue, in 100,000ths. */
function primariesOf(chunk: Buffer | undefined): Primaries | undefined {
  if (!chunk || chunk.length < CHRM_BYTES) return undefined
  const point = (at: number): Chromaticity => [chunk.readUInt32BE(at) / 100_000, chunk.readUInt32BE(at + 4) / 100_000]
  const [white, red, green, blue] = [point(0), point(8), point(16), point(24)]
  return spanColours({ red, green, blue, white }) ? { red, green, blue, white } : undefined
}
