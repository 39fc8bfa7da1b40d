import type { Dimensions } from '../../../tools/imaging/sizes.ts'

/** Longest side of a picture, in pixels: `maxWidth` of info.json, which counts for heights, too. */
export const MAX_SIDE = 8_192

const SIDE = String.raw`([1-9]\d{0,8})`
const forms = {
  width: new RegExp(`^${SIDE},$`),
  height: new RegExp(`^,${SIDE}$`),
  both: new RegExp(`^${SIDE},${SIDE}$`),
  inside: new RegExp(`^!${SIDE},${SIDE}$`),
  percent: /^pct:((?:0|[1-9]\d{0,2})(?:\.\d{1,12})?)$/,
}

/**
 * Parses the size of an IIIF address: `max`, `w,`, `,h`, `w,h`, `!w,h` or `pct:n`.
 * @param region pixels that are shown at this size
 * @returns undefined for wrong syntax, for more pixels than the region has on a side, and for more than are served. As IIIF's own validator wants
 *   it, a box `!w,h` that a region would have to be enlarged for is one of these
 */
export function sizeOf(text: string, region: Dimensions): Dimensions | undefined {
  if (text === 'max') return scaled(region, Math.min(1, scaleInside(region, MAX_SIDE, MAX_SIDE)))
  const [, width] = forms.width.exec(text) ?? []
  if (width) return served({ ...scaled(region, Number(width) / region.width), width: Number(width) }, region)
  const [, height] = forms.height.exec(text) ?? []
  if (height) return served({ ...scaled(region, Number(height) / region.height), height: Number(height) }, region)
  const [, across, down] = forms.both.exec(text) ?? []
  if (across && down) return served({ width: Number(across), height: Number(down) }, region)
  const [, most, highest] = forms.inside.exec(text) ?? []
  if (most && highest) return inside(region, scaleInside(region, Number(most), Number(highest)))
  const [, percent] = forms.percent.exec(text) ?? []
  return percent === undefined ? undefined : share(region, Number(percent) / 100)
}

function served(size: Dimensions, region: Dimensions): Dimensions | undefined {
  const isServed = size.width <= Math.min(region.width, MAX_SIDE) && size.height <= Math.min(region.height, MAX_SIDE)
  return isServed ? size : undefined
}

const scaleInside = ({ width, height }: Dimensions, most: number, highest: number): number => Math.min(most / width, highest / height)

/** As large as the box allows, and this service. */
function inside(region: Dimensions, scale: number): Dimensions | undefined {
  return scale > 1 ? undefined : scaled(region, Math.min(scale, scaleInside(region, MAX_SIDE, MAX_SIDE)))
}

function share(region: Dimensions, scale: number): Dimensions | undefined {
  const isNothing = Math.round(Math.max(region.width, region.height) * scale) === 0
  return scale > 1 || isNothing ? undefined : served(scaled(region, scale), region)
}

/** No side is below 1. */
const scaled = ({ width, height }: Dimensions, scale: number): Dimensions => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})
