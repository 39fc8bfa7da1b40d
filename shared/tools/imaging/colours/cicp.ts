import { BT709, type Colours, D65, gamma, LINEAR, type Primaries, SRGB, type Transfer } from './colours.ts'

/** Code points of ITU-T H.273, as in PNG's `cICP` and HEIF's `nclx`. */
export interface CodePoints {
  primaries: number
  transfer: number
}

const C: Primaries['white'] = [0.31, 0.316]

/** H.273, table 2. Other codes count as BT.709. */
const primaries: { readonly [code: number]: Primaries } = {
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  7: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 },
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 },
}

/** HDR's reference white in cd/m² (ITU-R BT.2408, table 1). */
const REFERENCE_WHITE = 203
/** Brightest light that PQ and HLG encode, relative to reference white. */
const [PQ_PEAK, HLG_PEAK] = [10_000 / REFERENCE_WHITE, 1_000 / REFERENCE_WHITE]

/** How screens display BT.709's curve (ITU-R BT.1886). */
const bt709 = gamma(2.4)

/** SMPTE ST 2084 */
const pq: Transfer = {
  hdrPeak: PQ_PEAK,
  toLight(sample) {
    const root = sample ** (32 / 2523)
    const [c1, c2, c3] = [3424 / 4096, 2413 / 128, 2392 / 128]
    return PQ_PEAK * (Math.max(root - c1, 0) / (c2 - c3 * root)) ** (8192 / 1305)
  },
}

/** ITU-R BT.2100, table 5 */
const hlg: Transfer = {
  hdrPeak: HLG_PEAK,
  isOfScene: true,
  toLight: (sample) => (sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12),
}

/** H.273, table 3. */
const transfers: { readonly [code: number]: Transfer } = {
  1: bt709,
  4: gamma(2.2),
  5: gamma(2.8),
  6: bt709,
  7: { toLight: (sample) => (sample < 0.0912 ? sample / 4 : ((sample + 0.1115) / 1.1115) ** (1 / 0.45)) },
  8: LINEAR,
  11: bt709,
  13: SRGB,
  14: bt709,
  15: bt709,
  16: pq,
  17: { toLight: (sample) => (52.37 / 48) * sample ** 2.6 },
  18: hlg,
}

/** @returns undefined for a transfer that is unspecified or unsupported */
export function coloursOfCodes(codes: CodePoints): Colours | undefined {
  const transfer = transfers[codes.transfer]
  return transfer && { primaries: primaries[codes.primaries] ?? BT709, transfer }
}

/** Whether the transfer is BT.709's curve, which has several codes. */
export const isOfVideo = ({ transfer }: CodePoints): boolean => transfers[transfer] === bt709
