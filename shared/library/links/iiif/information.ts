import type { Dimensions } from '../../../tools/imaging/sizes.ts'
import { MAX_SIDE } from './size.ts'

/** Side of a tile in pixels. */
const TILE = 512

/** A document of IIIF: its media type, and its bytes. */
export interface IiifDocument {
  mime: string
  data: Uint8Array
}

/** The information of a picture (`info.json` of the Image API 3.0, level 2). @param id the address of the picture's service @param picture the upright original */
export function imageInformation(id: string, picture: Dimensions): IiifDocument {
  const scaleFactors = factorsOf(picture)
  const sizes = scaleFactors
    .map((factor) => tiledBy(picture, factor))
    .filter(({ width, height }) => Math.max(width, height) <= MAX_SIDE)
    .toReversed()
  return iiifDocument('http://iiif.io/api/image/3/context.json', {
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level2',
    ...picture,
    maxWidth: MAX_SIDE,
    sizes,
    tiles: [{ width: TILE, scaleFactors }],
    extraFormats: ['webp'],
    extraQualities: ['color', 'gray', 'bitonal'],
    extraFeatures: ['canonicalLinkHeader', 'mirroring', 'profileLinkHeader'],
  })
}

/** A document with its context, which its media type names. */
export function iiifDocument(context: string, content: object): IiifDocument {
  const data = Buffer.from(JSON.stringify({ '@context': context, ...content }))
  return { mime: `application/ld+json;profile="${context}"`, data }
}

/** Powers of two, up to the first by which one tile shows the whole. */
function factorsOf({ width, height }: Dimensions): number[] {
  const levels = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / TILE)))
  return Array.from({ length: levels + 1 }, (_, level) => 2 ** level)
}

/** Rounded as viewers do for tiles at the edges. */
const tiledBy = ({ width, height }: Dimensions, factor: number): Dimensions => ({
  width: Math.ceil(width / factor),
  height: Math.ceil(height / factor),
})
