import { ToolFailed } from '../failure.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Chunks needed to show a picture: pixels, palette, transparency, colour space (PNG, third edition, 11). */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP'])

/** Longest side, in pixels. */
const MAX_SIDE = 4096

/**
 * A PNG with the same pixels, without texts, animation and trailing data.
 * @throws ToolFailed if it is no PNG, damaged, or larger than `MAX_SIDE`
 */
export function barePng(file: Buffer): Buffer {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new ToolFailed('must be a PNG or an SVG')
  const kept: Buffer[] = [SIGNATURE]
  let type = ''
  for (let at = 8; type !== 'IEND'; ) {
    if (at + 12 > file.length) throw damaged()
    const end = at + 12 + file.readUInt32BE(at)
    type = file.toString('latin1', at + 4, at + 8)
    if (end > file.length || (at === 8) !== (type === 'IHDR')) throw damaged()
    if (type === 'IHDR') checkSize(file.readUInt32BE(at + 8), file.readUInt32BE(at + 12))
    if (KEPT.has(type)) kept.push(file.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const damaged = () => new ToolFailed('must be a whole PNG')

function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw damaged()
  if (Math.max(width, height) > MAX_SIDE) throw new ToolFailed(`must have at most ${MAX_SIDE} pixels a side`)
}
