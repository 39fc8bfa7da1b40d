import { type Chromaticity, type Colours, gamma, spanColours } from './colours.ts'
import type { Read } from './read.ts'

/** Size of a version 4 info header, and offsets in it. */
const [V4_BYTES, COLOUR_SPACE, ENDPOINTS, GAMMAS] = [108, 56, 60, 96]
/** `LCS_CALIBRATED_RGB`; all others are sRGB or a profile. */
const CALIBRATED = 0

/**
 * Reads colours from a version 4 or 5 header: CIE XYZ of red, green and blue in 2.30 fixed point, and three gammas in 16.16. Programs write
 * zeros if they know none. @see https://learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-bitmapv4header
 */
export async function bitmapColours(read: Read): Promise<Colours | undefined> {
  const header = await read(14, V4_BYTES)
  if (header.length < V4_BYTES || header.readUInt32LE() < V4_BYTES || header.readUInt32LE(COLOUR_SPACE) !== CALIBRATED) return undefined
  const [red, green, blue] = [0, 1, 2].map((index) => endpoint(header, ENDPOINTS + index * 12))
  const [redGamma, greenGamma, blueGamma] = [0, 1, 2].map((index) => header.readUInt32LE(GAMMAS + index * 4) / 65_536)
  if (!red || !green || !blue || !redGamma || redGamma !== greenGamma || redGamma !== blueGamma) return undefined
  const sum: Xyz = [red[0] + green[0] + blue[0], red[1] + green[1] + blue[1], red[2] + green[2] + blue[2]]
  const primaries = { red: chromaticity(red), green: chromaticity(green), blue: chromaticity(blue), white: chromaticity(sum) }
  return spanColours(primaries) ? { primaries, transfer: gamma(redGamma) } : undefined
}

type Xyz = [number, number, number]

const endpoint = (header: Buffer, at: number): Xyz => [header.readInt32LE(at), header.readInt32LE(at + 4), header.readInt32LE(at + 8)]

const chromaticity = ([x, y, z]: Xyz): Chromaticity => [x / (x + y + z), y / (x + y + z)]
