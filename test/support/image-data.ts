/** Reads the image data of files straight from their bytes, so that tests need not believe the tools that they test. */

/** The bytes that make up the picture, without the metadata around them. @param name its extension says the format */
export function imageData(name: string, file: Buffer): Buffer {
  if (name.endsWith('.png'))
    return Buffer.concat(
      pngChunks(file)
        .filter(({ type }) => PIXELS.includes(type))
        .map(({ data }) => data),
    )
  if (name.endsWith('.tif')) return Buffer.concat(tiffStrips(file))
  return file.subarray(firstScan(file))
}

const PIXELS = ['IHDR', 'PLTE', 'tRNS', 'acTL', 'fcTL', 'IDAT', 'fdAT']

function firstScan(jpeg: Buffer): number {
  for (let at = 2; at < jpeg.length; ) {
    if (jpeg[at + 1] === 0xff) at++
    else if (jpeg[at + 1] === 0xda) return at
    else at += 2 + jpeg.readUInt16BE(at + 2)
  }
  throw new Error('a JPEG without a scan')
}

export function pngChunks(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const bytes = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + bytes) })
    at += 12 + bytes
    if (type === 'IEND') break
  }
  return chunks
}

/** The further pictures that a JPEG's MPF segment lists, each from its first byte on. */
export function furtherPictures(jpeg: Buffer): Buffer[] {
  const header = jpeg.indexOf('MPF\0') + 4
  const directory = header + jpeg.readUInt32BE(header + 4)
  const list = header + jpeg.readUInt32BE(directory + 2 + 2 * 12 + 8)
  const count = jpeg.readUInt32BE(directory + 2 + 2 * 12 + 4) / 16
  return Array.from({ length: count - 1 }, (_, index) => {
    const at = list + (index + 1) * 16
    const start = header + jpeg.readUInt32BE(at + 8)
    return jpeg.subarray(start, start + jpeg.readUInt32BE(at + 4))
  })
}

/** Strips or tiles of all pages. */
function tiffStrips(tiff: Buffer): Buffer[] {
  const little = tiff[0] === 0x49
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const strips: Buffer[] = []
  for (let directory = u32(4); directory !== 0; ) {
    const entries = u16(directory)
    const values = new Map<number, number[]>()
    for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
      const [size, count] = [u16(at + 2) === 3 ? 2 : 4, u32(at + 4)]
      const from = size * count <= 4 ? at + 8 : u32(at + 8)
      if (![273, 279, 324, 325].includes(u16(at))) continue
      values.set(
        u16(at),
        Array.from({ length: count }, (_, index) => (size === 2 ? u16 : u32)(from + index * size)),
      )
    }
    const lengths = values.get(279) ?? values.get(325) ?? []
    for (const [index, start] of (values.get(273) ?? values.get(324) ?? []).entries())
      strips.push(tiff.subarray(start, start + lengths[index]!))
    directory = u32(directory + 2 + entries * 12)
  }
  return strips
}
