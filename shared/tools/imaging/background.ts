import { SRGB, srgbOf } from './colours/colours.ts'

/** A colour in sRGB: 0 to 255 each. */
export interface Colour {
  r: number
  g: number
  b: number
}

export const WHITE: Colour = { r: 255, g: 255, b: 255 }
export const BLACK: Colour = { r: 0, g: 0, b: 0 }

/** @param hex `rrggbb` */
export function colourIn(hex: string): Colour {
  const [r, g, b] = hex.match(/../g)!.map((part) => Number.parseInt(part, 16)) as [number, number, number]
  return { r, g, b }
}

/** The grey of a colour, as libvips has it: that of its light, by the weights of BT.709. */
export function greyOf({ r, g, b }: Colour): Colour {
  const grey = Math.round(255 * srgbOf(0.2126 * lightOf(r) + 0.7152 * lightOf(g) + 0.0722 * lightOf(b)))
  return { r: grey, g: grey, b: grey }
}

const lightOf = (sample: number): number => SRGB.toLight(sample / 255)
