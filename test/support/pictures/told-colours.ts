/** Pictures that tell their colours by numbers. */
import { bmp } from './bitmap.ts'
import { heic } from './heic.ts'
import { images } from './images.ts'
import { chunk, withChunks } from './png-chunk.ts'
import { quadrantImage } from './quadrants.ts'

/** Code points of ITU-T H.273 for primaries and transfer. */
export const codes = { p3: [12, 13], pq: [9, 16], hlg: [9, 18], p3WithVideo: [12, 1] } as const

type Codes = (typeof codes)[keyof typeof codes]

export const gama = (value: number) => chunk('gAMA', numbers(value))
/** White, red, green, blue. */
export const chrm = (...points: number[]) => chunk('cHRM', numbers(...points))
export const cicp = ([primaries, transfer]: Codes) => chunk('cICP', Buffer.of(primaries, transfer, 0, 1))

const numbers = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(Math.round(value * 100_000))
      return bytes
    }),
  )

export const pngWith = async (...chunks: readonly Buffer[]) => withChunks(await images['plain.png'](), ...chunks)

/** The quarters in AVIF, stored in Display P3, of which code points tell. */
export async function avifWith(told: Codes): Promise<Buffer> {
  return withCodes(await quadrantImage().withIccProfile('p3').avif({ quality: 90, chromaSubsampling: '4:4:4', effort: 2 }).toBuffer(), told)
}

/** The same in HEIC. */
export const heicWith = (told: Codes): Buffer => withCodes(heic(), told)

/** Puts code points in the place of a profile. */
function withCodes(heif: Buffer, [primaries, transfer]: Codes): Buffer {
  const changed = Buffer.from(heif)
  const at = changed.indexOf('colr') + 4
  changed.write('nclx', at, 'latin1')
  changed.writeUInt16BE(primaries, at + 4)
  changed.writeUInt16BE(transfer, at + 6)
  // The matrix of BT.601, all values of a byte.
  changed.writeUInt16BE(6, at + 8)
  changed.writeUInt8(0x80, at + 10)
  return changed
}

/** The quarters in a bitmap of version 5. */
export function bitmap5({
  calibrated,
  profile = Buffer.alloc(0),
}: {
  calibrated?: { xyz: number[]; gamma: number }
  profile?: Buffer
}): Buffer {
  const plain = bmp(24)
  const header = Buffer.alloc(124)
  plain.copy(header, 0, 14, 54)
  header.writeUInt32LE(124)
  if (calibrated) {
    for (const [index, value] of calibrated.xyz.entries()) header.writeInt32LE(Math.round(value * 2 ** 30), 60 + index * 4)
    for (const at of [96, 100, 104]) header.writeUInt32LE(Math.round(calibrated.gamma * 65_536), at)
  } else {
    header.write('DEBM', 56, 'latin1')
    header.writeUInt32LE(124 + plain.length - 54, 112)
    header.writeUInt32LE(profile.length, 116)
  }
  const file = Buffer.concat([plain.subarray(0, 14), header, plain.subarray(54), profile])
  file.writeUInt32LE(14 + 124, 10)
  return file
}
