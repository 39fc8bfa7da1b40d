import { linkPictureLimits } from '../../../tools/imaging/limits.ts'
import { type Dimensions, fitInside, scaledBy } from '../../../tools/imaging/sizes.ts'

/** Longest side of a picture, in pixels: `maxWidth` of info.json, which counts for heights, too. */
export const MAX_SIDE = linkPictureLimits.side

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
  if (text === 'max') return fitInside(region, MAX_SIDE)
  const [, width] = forms.width.exec(text) ?? []
  if (width) return served({ ...scaledBy(Number(width) / region.width, region), width: Number(width) }, region)
  const [, height] = forms.height.exec(text) ?? []
  if (height) return served({ ...scaledBy(Number(height) / region.height, region), height: Number(height) }, region)
  const [, across, down] = forms.both.exec(text) ?? []
  if (across && down) return served({ width: Number(across), height: Number(down) }, region)
  const [, most, highest] = forms.inside.exec(text) ?? []
  if (most && highest) return inside(region, Math.min(Number(most) / region.width, Number(highest) / region.height))
  const [, percent] = forms.percent.exec(text) ?? []
  return percent === undefined ? undefined : share(region, Number(percent) / 100)
}

function served(size: Dimensions, region: Dimensions): Dimensions | undefined {
  const isServed = size.width <= Math.min(region.width, MAX_SIDE) && size.height <= Math.min(region.height, MAX_SIDE)
  return isServed ? size : undefined
}

/** As large as the box allows, and this service. */
function inside(region: Dimensions, scale: number): Dimensions | undefined {
  return scale > 1 ? undefined : scaledBy(Math.min(scale, MAX_SIDE / Math.max(region.width, region.height)), region)
}

function share(region: Dimensions, scale: number): Dimensions | undefined {
  const isNothing = Math.round(Math.max(region.width, region.height) * scale) === 0
  return scale > 1 || isNothing ? undefined : served(scaledBy(scale, region), region)
}
