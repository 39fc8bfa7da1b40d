import sharp, { type Sharp } from 'sharp'

/** A dull picture with one bright disc of 40 pixels' radius in it. @param at the disc's centre */
export function subjectAt(at: { x: number; y: number }, size: { width: number; height: number }): Sharp {
  const { width, height } = size
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isDisc = Math.hypot(x - at.x, y - at.y) <= 40
      pixels.set(isDisc ? [255, 200, 50] : [70, 80, 76], (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}
