import { u32 } from './bytes.ts'
import { quadrantAt, quadrants } from './quadrants.ts'

const { width, height } = quadrants

/** A Windows bitmap of the quarters. */
export function bmp(bits: 8 | 16 | 24 | 32, { topDown = false } = {}): Buffer {
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const masked = bits === 32
  const palette = bits === 8 ? bmpPalette() : Buffer.alloc(0)
  const masks = masked ? Buffer.concat([u32(0xff, true), u32(0xff00, true), u32(0xff0000, true)]) : Buffer.alloc(0)
  const start = 54 + palette.length + masks.length
  const file = Buffer.alloc(start + rowBytes * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(topDown ? -height : height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  file.writeUInt32LE(masked ? 3 : 0, 30)
  Buffer.concat([masks, palette]).copy(file, 54)
  for (let y = 0; y < height; y++) {
    const from = start + (topDown ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++) {
      const [r, g, b] = quadrantAt(x, y)
      if (bits === 8) file[from + x] = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)
      if (bits === 16) file.writeUInt16LE(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3), from + x * 2)
      if (bits === 24) file.set([b, g, r], from + x * 3)
      if (bits === 32) file.set([r, g, b, 0], from + x * 4)
    }
  }
  return file
}

function bmpPalette(): Buffer {
  const palette = Buffer.alloc(1024)
  for (let index = 0; index < 4; index++) {
    const [r, g, b] = quadrantAt(index % 2 ? width - 1 : 0, index > 1 ? height - 1 : 0)
    palette.set([b, g, r, 0], index * 4)
  }
  return palette
}
