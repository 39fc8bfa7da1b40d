/** Malicious and broken files. */
import { deflateSync } from 'node:zlib'
import { images } from './images.ts'
import { chunk, withChunks } from './png-chunk.ts'
import { quadrantImage } from './quadrants.ts'

export const hostile = {
  'empty.jpg': async () => Buffer.alloc(0),
  /** A large picture's first part. */
  'truncated.jpg': async () => {
    const whole = await quadrantImage({ width: 640, height: 480 }).jpeg({ quality: 95 }).toBuffer()
    return whole.subarray(0, Math.round(whole.length * 0.7))
  },
  'header-only.jpg': async () => (await images['plain.jpg']()).subarray(0, 200),
  /** Says it has 100,000 by 100,000 pixels. */
  'header-bomb.png': async () => png(100_000, 100_000, Buffer.alloc(100)),
  /** Has 16,000 by 16,000 pixels in 35 KB. That is allowed, but it is interlaced: decoding would hold all of it in memory. */
  'interlaced-bomb.png': async () => png(16_000, 16_000, Buffer.alloc(4_000_000), 1),
  /** A screen of 65,535 by 65,535. */
  'canvas-bomb.gif': async () => withCanvas(await images['animated.gif'](), 65_535),
  'bomb.jpg': async () => withFrame(await images['plain.jpg'](), 65_500, 65_500),
  /** A compressed text of half a gigabyte. */
  'text-bomb.png': async () => withChunks(await images['plain.png'](), chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb()]))),
  'noise.jpg': async () => Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.from('not a picture '.repeat(500))]),
  'entities.svg': async () =>
    Buffer.from(
      `<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY host SYSTEM "file:///etc/hostname"><!ENTITY a "aaaaaaaaaa">${entityBomb()}]>\n` +
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="50">' +
        '<image xlink:href="file:///etc/passwd" width="10" height="10"/><text>&host;&h;</text></svg>',
    ),
  /** A JPEG that is also a zip archive, and a GIF that is also a Java archive. */
  'jpeg-and-zip.jpg': async () => Buffer.concat([await images['plain.jpg'](), emptyZip()]),
  'gif-and-jar.gif': async () => Buffer.concat([await images['animated.gif'](), emptyZip()]),
  'pdf-and-jpeg.pdf': async () => Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj\n<</Length 9>>stream\n'), await images['plain.jpg']()]),
  /** A JPEG with a web page in its comment. */
  'page-in-comment.jpg': async () => withComment(await images['plain.jpg'](), '<html><script>alert(1)</script></html>'),
} satisfies { [name: string]: () => Promise<Buffer> }

function entityBomb(): string {
  return Array.from('bcdefgh', (name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`).join('')
}

function emptyZip(): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  return end
}

function withComment(jpeg: Buffer, comment: string): Buffer {
  const segment = Buffer.from(`\xff\xfe\0\0${comment}`, 'latin1')
  segment.writeUInt16BE(comment.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

/** Changes the dimensions that a JPEG's frame header gives. */
export function withFrame(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg)
  const frame = changed.indexOf(Buffer.from('ffc0', 'hex'))
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

/** Changes the dimensions of a GIF's screen and of its first frame. */
function withCanvas(gif: Buffer, side: number): Buffer {
  const changed = Buffer.from(gif)
  const frame = changed.indexOf(Buffer.from('2c00000000', 'hex')) + 5
  for (const at of [6, 8, frame, frame + 2]) changed.writeUInt16LE(side, at)
  return changed
}

function png(width: number, height: number, pixels: Buffer, interlace = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, interlace], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))])
}

function bomb(): Buffer {
  return deflateSync(Buffer.alloc(512 * 1024 ** 2), { level: 9 })
}
