import type { RawPixels } from '../vips.ts'
import { BT709, type Chromaticity, type Colours, type Primaries, srgbOf } from './colours.ts'

/** Samples as stored: 8 or 16 bits, or linear light as numbers from 0 to 1. */
export interface Samples extends Omit<RawPixels, 'data'> {
  data: Uint8Array | Uint16Array | Float32Array
}

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** HDR up to this much light, relative to reference white, stays unchanged. */
const UNCHANGED = 0.5
/** Steps of light in the table of sRGB samples. Dark ones differ by a twentieth of a sample. */
const STEPS = 65_535

/**
 * Converts pixels to sRGB. HDR is tone-mapped like films (tools/video/colours.ts): light up to half of reference white stays, brighter
 * light is compressed so that the brightest possible light is white. Colours outside of sRGB are clipped.
 */
export function toSrgb({ data, width, height, channels }: Samples, { primaries, transfer }: Colours): RawPixels {
  const light = tableOfLight(data, transfer)
  const out = Buffer.alloc(data.length)
  const { hdrPeak = 1, isOfScene } = transfer
  const coloured = channels >= 3
  const hasAlpha = channels % 2 === 0
  // Separate numbers: arrays would take three times as long.
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = conversion(primaries, BT709)
  const [, [yr, yg, yb]] = toXyz(primaries)
  for (let at = 0; at < data.length; at += channels) {
    const red = light(data[at]!)
    const green = coloured ? light(data[at + 1]!) : red
    const blue = coloured ? light(data[at + 2]!) : red
    const shown = isOfScene ? hdrPeak * (yr * red + yg * green + yb * blue) ** 0.2 : 1
    const r = rr * red + rg * green + rb * blue
    const g = gr * red + gg * green + gb * blue
    const b = br * red + bg * green + bb * blue
    const brightest = shown * Math.max(r, g, b)
    const scale = hdrPeak > 1 && brightest > UNCHANGED ? (shown * compressed(brightest, hdrPeak)) / brightest : shown
    out[at] = sample(r * scale)
    if (coloured) {
      out[at + 1] = sample(g * scale)
      out[at + 2] = sample(b * scale)
    }
    if (hasAlpha) out[at + channels - 1] = opacity(data, at + channels - 1)
  }
  return { data: out, width, height, channels }
}

/** The curve of ffmpeg's filter `tonemap=mobius`: smooth at its start and 1 at the peak. */
function compressed(light: number, peak: number): number {
  const from = UNCHANGED
  const a = (-from * from * (peak - 1)) / (from * from - 2 * from + peak)
  const b = (from * from - 2 * from * peak + peak) / (peak - 1)
  return (((b * b + 2 * b * from + from * from) / (b - a)) * (light + a)) / (light + b)
}

function tableOfLight(data: Samples['data'], { toLight }: Colours['transfer']): (sample: number) => number {
  if (data instanceof Float32Array) return toLight
  const largest = data instanceof Uint8Array ? 255 : 65_535
  const table = Float32Array.from({ length: largest + 1 }, (_, value) => toLight(value / largest))
  return (value) => table[value]!
}

/** IEC 61966-2-1 */
const samples = Uint8Array.from({ length: STEPS + 1 }, (_, step) => Math.round(255 * srgbOf(step / STEPS)))

const sample = (light: number): number => samples[light > 0 ? Math.min(STEPS, Math.round(light * STEPS)) : 0]!

function opacity(data: Samples['data'], at: number): number {
  const value = data[at]!
  return data instanceof Uint8Array ? value : Math.round(data instanceof Uint16Array ? value / 257 : Math.min(1, Math.max(0, value)) * 255)
}

/** The matrix between linear light of two sets of primaries. Adapts the white point (Bradford, as in profiles). */
function conversion(from: Primaries, to: Primaries): Matrix {
  return product(inverse(toXyz(to)), product(adaptation(from.white, to.white), toXyz(from)))
}

/** The matrix from linear RGB to CIE XYZ. White has luminance 1. */
function toXyz({ red, green, blue, white }: Primaries): Matrix {
  const [r, g, b] = [xyz(red), xyz(green), xyz(blue)]
  const columns = transposed([r, g, b])
  const [x, y, z] = times(inverse(columns), xyz(white))
  return transposed([scaled(r, x), scaled(g, y), scaled(b, z)])
}

const xyz = ([x, y]: Chromaticity): Vector => [x / y, 1, (1 - x - y) / y]

const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

function adaptation(from: Chromaticity, to: Chromaticity): Matrix {
  const [l, m, s] = times(bradford, xyz(from))
  const [u, v, w] = times(bradford, xyz(to))
  const scale: Matrix = [
    [u / l, 0, 0],
    [0, v / m, 0],
    [0, 0, w / s],
  ]
  return product(inverse(bradford), product(scale, bradford))
}

function times([a, b, c]: Matrix, [x, y, z]: Vector): Vector {
  return [a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z, c[0] * x + c[1] * y + c[2] * z]
}

function product(left: Matrix, right: Matrix): Matrix {
  const [x, y, z] = transposed(right)
  return transposed([times(left, x), times(left, y), times(left, z)])
}

function transposed([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ]
}

const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by]

function inverse([a, b, c]: Matrix): Matrix {
  const cross = (u: Vector, v: Vector): Vector => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  const [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = a[0] * x[0] + a[1] * x[1] + a[2] * x[2]
  return transposed([scaled(x, 1 / determinant), scaled(y, 1 / determinant), scaled(z, 1 / determinant)])
}
