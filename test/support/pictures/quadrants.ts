import sharp, { type Sharp } from 'sharp'

/** Colours of the picture's quarters: upper left, upper right, lower left, lower right. */
export const quadrantColours = [
  [220, 30, 30],
  [30, 200, 40],
  [30, 40, 220],
  [240, 220, 40],
] as const

export const quadrants = { width: 64, height: 48 }

/** Pixels of the picture as it should be seen: red and green above blue and yellow. */
export function quadrantAt(x: number, y: number, { width, height } = quadrants): readonly [number, number, number] {
  return quadrantColours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!
}

/** RGB bytes of the picture. */
function quadrantPixels(size = quadrants): Buffer {
  const pixels = Buffer.alloc(size.width * size.height * 3)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) pixels.set(quadrantAt(x, y, size), (y * size.width + x) * 3)
  }
  return pixels
}

/** Brightness of the grey picture's quarters, in the same order. */
export const quadrantGreys = [60, 190, 90, 220] as const

/** What the coloured quarters keep of their colours in print (sRGB to CMYK and back by Little CMS). */
export const printedColours = [
  [217, 42, 21],
  [110, 160, 37],
  [33, 62, 120],
  [240, 210, 2],
] as const

/** A grey picture of quarters. */
export function greyImage(): Sharp {
  const { width, height } = quadrants
  const pixels = Buffer.alloc(width * height)
  for (let at = 0; at < pixels.length; at++) {
    pixels[at] = quadrantGreys[(at < pixels.length / 2 ? 0 : 2) + (at % width < width / 2 ? 0 : 1)]!
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } })
}

/** The picture as an image to encode. */
export function quadrantImage(size = quadrants): Sharp {
  return sharp(quadrantPixels(size), { raw: { ...size, channels: 3 } })
}

/** Where the upright pixel (x, y) is stored, by EXIF orientation; `w` and `h` are the stored picture's dimensions. */
const storedAt: { [orientation: number]: (x: number, y: number, w: number, h: number) => [number, number] } = {
  1: (x, y) => [x, y],
  2: (x, y, w) => [w - 1 - x, y],
  3: (x, y, w, h) => [w - 1 - x, h - 1 - y],
  4: (x, y, _w, h) => [x, h - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, _w, h) => [y, h - 1 - x],
  7: (x, y, w, h) => [w - 1 - y, h - 1 - x],
  8: (x, y, w) => [w - 1 - y, x],
}

/** A JPEG whose pixels are stored turned and mirrored, and whose EXIF orientation (1 to 8) undoes that. */
export async function orientedJpeg(orientation: number): Promise<Buffer> {
  const { width, height } = quadrants
  const [w, h] = orientation >= 5 ? [height, width] : [width, height]
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sx, sy] = storedAt[orientation]!(x, y, w, h)
      pixels.set(quadrantAt(x, y), (sy * w + sx) * 3)
    }
  }
  const image = sharp(pixels, { raw: { width: w, height: h, channels: 3 } })
  return await image.withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
}
