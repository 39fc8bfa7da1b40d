import { u16, u32 } from './bytes.ts'
import { quadrants } from './quadrants.ts'

/** A raw photo in Adobe's format: a sensor picture that no test reads, and a JPEG preview. @param xmp its metadata */
export function dng(preview: Buffer, orientation: number, xmp = ''): Buffer {
  const directory: (readonly [tag: number, type: number, count: number, value: Buffer | 'preview' | 'xmp'])[] = [
    [254, 4, 1, u32(1)],
    [256, 4, 1, u32(quadrants.width)],
    [257, 4, 1, u32(quadrants.height)],
    [258, 3, 1, u16(8)],
    [259, 3, 1, u16(7)],
    [262, 3, 1, u16(6)],
    [273, 4, 1, 'preview'],
    [274, 3, 1, u16(orientation)],
    [277, 3, 1, u16(3)],
    [278, 4, 1, u32(quadrants.height)],
    [279, 4, 1, u32(preview.length)],
    ...(xmp ? [[700, 1, xmp.length, 'xmp'] as const] : []),
    [50_706, 1, 4, Buffer.from([1, 4, 0, 0])],
    [50_708, 2, 4, Buffer.from('Cam\0')],
  ]
  const start = 8 + 2 + directory.length * 12 + 4
  const entries = directory.map(([tag, type, count, value]) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (value === 'preview') bytes.writeUInt32BE(start + xmp.length, 8)
    else if (value === 'xmp') bytes.writeUInt32BE(start, 8)
    else value.copy(bytes, 8)
    return bytes
  })
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(8), u16(directory.length), ...entries, u32(0), Buffer.from(xmp), preview])
}

/** A raw photo that declares a developed picture, which is a single byte. */
export function dngWithTinyPicture(): Buffer {
  const packet =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="a" a:JpgFromRaw="x"/></rdf:RDF>'
  return dng(Buffer.alloc(0), 1, packet)
}
