import sharp, { type Sharp } from 'sharp'
import { greyImage, quadrantImage, quadrants } from './quadrants.ts'

/** Ordinary pictures of all kinds, small, each a function that makes the file's bytes. */
const { width, height } = quadrants

const fine = { quality: 95, chromaSubsampling: '4:4:4' } as const

export const images = {
  'plain.jpg': () => quadrantImage().jpeg(fine).toBuffer(),
  'progressive.jpg': () =>
    quadrantImage()
      .jpeg({ ...fine, progressive: true })
      .toBuffer(),
  'grey.jpg': () => greyImage().toColourspace('b-w').jpeg(fine).toBuffer(),
  'display-p3.jpg': () => quadrantImage().withIccProfile('p3').jpeg(fine).toBuffer(),
  'cmyk.jpg': () => cmyk(),
  'cmyk-without-profile.jpg': async () => dropProfile(await cmyk()),
  'plain.png': () => quadrantImage().png().toBuffer(),
  'interlaced.png': () => quadrantImage().png({ progressive: true }).toBuffer(),
  'palette.png': () => quadrantImage().png({ palette: true }).toBuffer(),
  'deep.png': () => quadrantImage().toColourspace('rgb16').png().toBuffer(),
  'deep-grey.png': () => greyImage().toColourspace('grey16').png().toBuffer(),
  'alpha.png': () => translucent(128).png().toBuffer(),
  'deep-alpha.png': () => translucent(128).toColourspace('rgb16').png().toBuffer(),
  'opaque-alpha.png': () => translucent(255).png().toBuffer(),
  'alpha.webp': () => translucent(128).webp({ lossless: true }).toBuffer(),
  'plain.webp': () => quadrantImage().webp({ quality: 90 }).toBuffer(),
  'animated.gif': async () => (await animation()).gif({ delay: [100, 100] }).toBuffer(),
  'animated.webp': async () => (await animation()).webp({ lossless: true, delay: [100, 100] }).toBuffer(),
  'plain.tif': () => quadrantImage().tiff({ compression: 'lzw' }).toBuffer(),
  'plain.avif': () => quadrantImage().avif({ quality: 80, chromaSubsampling: '4:4:4', effort: 2 }).toBuffer(),
  'one-pixel.png': () => colour(1, 1).png().toBuffer(),
  'tall.png': () => colour(1, 20_000).png().toBuffer(),
  'wide.jpg': () => colour(20_000, 3).jpeg().toBuffer(),
} satisfies { [name: string]: () => Promise<Buffer> }

async function cmyk(): Promise<Buffer> {
  return await quadrantImage().toColourspace('cmyk').withIccProfile('cmyk').jpeg(fine).toBuffer()
}

function translucent(alpha: number): Sharp {
  return quadrantImage().ensureAlpha(alpha / 255)
}

/** Two frames: the quarters, then black. */
async function animation(): Promise<Sharp> {
  const frames = [await quadrantImage().raw().toBuffer(), Buffer.alloc(width * height * 3)]
  return sharp(Buffer.concat(frames), { raw: { width, height: height * 2, channels: 3, pageHeight: height } })
}

function colour(width: number, height: number, background = '#c08040'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Leaves out a JPEG's APP2 segments, where its colour profile is. */
function dropProfile(jpeg: Buffer): Buffer {
  const parts = [jpeg.subarray(0, 2)]
  let at = 2
  while (jpeg[at + 1] !== 0xda) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[at + 1] !== 0xe2) parts.push(jpeg.subarray(at, end))
    at = end
  }
  return Buffer.concat([...parts, jpeg.subarray(at)])
}
