import sharp from 'sharp'

/** Size of the picture, and of its map. */
export const hdrSize = { width: 400, height: 320 }

/** Whether the map is bright at a place from 0 to 1: a square in the upper left quarter, aligned with pixels of both. */
export const isBright = (x: number, y: number): boolean => x >= 0.1 && x < 0.35 && y >= 0.1 && y < 0.35

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
  'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="0" hdrgm:GainMapMax="2.5" hdrgm:Gamma="1" ' +
  'hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2.5" told:place="Told-place" xmlns:told="told"/></rdf:RDF></x:xmpmeta>'

/** ISO 21496-1: one channel, a brightness of up to 2.5 stops, no gamma, offsets of a 64th. */
function iso(): Buffer {
  const numbers = [0, 1, 25, 10, 0, 1, 25, 10, 1, 1, 1, 64, 1, 64]
  const data = Buffer.alloc(5 + numbers.length * 4)
  data[4] = 0x40
  for (const [n, number] of numbers.entries()) data.writeUInt32BE(number, 5 + n * 4)
  return Buffer.concat([Buffer.from('urn:iso:std:iso:ts:21496:-1\0'), data])
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const after = (jpeg: Buffer, ...segments: Buffer[]) => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/**
 * A photo with a gain map, as cameras make them: its picture has the same square as the map, in another colour.
 * @param options.form of the numbers @param options.orientation of EXIF @param options.scale pixels of the picture to one of the map
 */
export async function hdrJpeg({
  form = 'both',
  orientation = 1,
  scale = 4,
}: {
  form?: 'iso' | 'xmp' | 'both'
  orientation?: number
  scale?: number
} = {}): Promise<Buffer> {
  const turned = orientation >= 5
  const drawn = async (width: number, height: number, [dark, bright]: readonly (readonly number[])[]) => {
    const pixels = Buffer.alloc(width * height * dark!.length)
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height]
      pixels.set(isBright(x, y) ? bright! : dark!, at * dark!.length)
    }
    const image = sharp(pixels, { raw: { width, height, channels: dark!.length as 1 | 3 } })
    if (orientation === 1) return image
    // Stored so that the orientation turns it back: turned by the inverse.
    const back = ({ 6: 270, 8: 90, 3: 180 } as const)[orientation as 6] ?? 0
    return back
      ? sharp(
          await image
            .rotate(back)
            .toColourspace(dark!.length === 1 ? 'b-w' : 'srgb')
            .raw()
            .toBuffer(),
          {
            raw: { width: turned ? height : width, height: turned ? width : height, channels: dark!.length as 1 | 3 },
          },
        )
      : image
  }
  const { width, height } = hdrSize
  const picture = await (
    await drawn(width, height, [
      [40, 60, 90],
      [230, 220, 200],
    ])
  )
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const plain = await (await drawn(width / scale, height / scale, [[0], [255]])).toColourspace('b-w').jpeg({ quality: 95 }).toBuffer()
  const map = after(
    plain,
    ...(form === 'iso' ? [] : [segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`))]),
    ...(form === 'xmp' ? [] : [segment(0xe2, iso())]),
  )
  return joined(picture, map)
}

/** Multi-Picture Format, in the byte order that the service doesn't write. */
function joined(picture: Buffer, map: Buffer): Buffer {
  const index = Buffer.alloc(4 + 8 + 2 + 36 + 4 + 32)
  index.write('MPF\0II*\0', 'latin1')
  index.writeUInt32LE(8, 8)
  index.writeUInt16LE(3, 12)
  const entries = [
    [0xb000, 7, 4, Buffer.from('0100').readUInt32LE()],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ] as const
  for (const [n, [tag, type, count, value]] of entries.entries()) {
    index.writeUInt16LE(tag, 14 + n * 12)
    index.writeUInt16LE(type, 16 + n * 12)
    index.writeUInt32LE(count, 18 + n * 12)
    index.writeUInt32LE(value, 22 + n * 12)
  }
  const length = picture.length + index.length + 4
  index.writeUInt32LE(0x030000, 54)
  index.writeUInt32LE(length, 58)
  index.writeUInt32LE(map.length, 74)
  // The TIFF header follows the beginning of the file, the segment's head and its name.
  index.writeUInt32LE(length - (2 + 4 + 4), 78)
  return Buffer.concat([after(picture, segment(0xe2, index)), map])
}
