/** Colours that a picture defines by numbers instead of a profile. */
export interface Colours {
  primaries: Primaries
  transfer: Transfer
}

/** CIE 1931 chromaticities. */
export interface Primaries {
  red: Chromaticity
  green: Chromaticity
  blue: Chromaticity
  white: Chromaticity
}

export type Chromaticity = readonly [x: number, y: number]

/** How samples encode light. */
export interface Transfer {
  /** Light of a sample from 0 to 1, relative to the brightest sample; for HDR relative to reference white. */
  toLight(sample: number): number
  /** The brightest light of HDR, relative to its reference white. */
  hdrPeak?: number
  /** Hybrid Log-Gamma: samples encode light of the scene, to which displays apply a gamma by luminance (ITU-R BT.2100, table 5). */
  isOfScene?: true
}

export const D65: Chromaticity = [0.3127, 0.329]

export const BT709: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: D65 }

export const gamma = (exponent: number): Transfer => ({ toLight: (sample) => sample ** exponent })

export const LINEAR: Transfer = { toLight: (sample) => sample }

/** IEC 61966-2-1 */
export const SRGB: Transfer = { toLight: (sample) => (sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4) }

/** The sample of sRGB, 0 to 1, of so much light. */
export const srgbOf = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)

/** Whether colours are sRGB, which need no conversion. */
export function areSrgb({ primaries, transfer }: Colours): boolean {
  const near = ([x, y]: Chromaticity, [u, v]: Chromaticity) => Math.abs(x - u) < 0.001 && Math.abs(y - v) < 0.001
  return transfer === SRGB && (['red', 'green', 'blue', 'white'] as const).every((name) => near(primaries[name], BT709[name]))
}

/** Whether primaries form a triangle around the white point. */
export function spanColours({ red, green, blue, white }: Primaries): boolean {
  const side = ([ax, ay]: Chromaticity, [bx, by]: Chromaticity) => (bx - ax) * (white[1] - ay) - (by - ay) * (white[0] - ax)
  return (
    [red, green, blue, white].every(([, y]) => Math.abs(y) > 1e-5) && side(red, green) > 0 && side(green, blue) > 0 && side(blue, red) > 0
  )
}
