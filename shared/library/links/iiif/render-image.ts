import { regionOf } from '../../../tools/imaging/geometry.ts'
import type { PicturePlan } from '../../../tools/imaging/link-picture.ts'
import type { OutputFormat } from '../../../tools/imaging/transformation.ts'
import { aiLabelOf } from '../labels.ts'
import { type LinkAnswer, type LinkRendering, renderPlan, type ShownPicture, type WantedRendering } from '../render-link.ts'
import { noPicture } from './documents.ts'
import { canonicalPath, type ImageRequest, imageRequest } from './image-request.ts'

/** A picture that IIIF asks for. */
export interface WantedImage extends Omit<WantedRendering, 'key' | 'planOf'> {
  /** `{region}/{size}/{rotation}/{quality}.{format}` */
  rest: string
}

/** What is said of a picture beside it. */
export interface ImageFacts {
  /** The one form of all addresses that ask for the same, behind the picture's address. */
  canonical: string
  ai: ReturnType<typeof aiLabelOf>
}

export type ImageAnswer = Exclude<LinkAnswer, { status: 'copy' }> & ImageFacts

/**
 * Answers an address of IIIF with a picture.
 * @throws as renderPlan; NotFound where the link shows no picture; Invalid for wrong syntax, enlarging, and too large sizes
 */
export async function renderImage(library: LinkRendering, { rest, ...wanted }: WantedImage): Promise<ImageAnswer> {
  let facts: ImageFacts | undefined
  const planOf = (shown: ShownPicture) => {
    const request = requestOf(rest, shown)
    facts = factsFor(request, shown)
    return planFor(request, shown)
  }
  const answer = await renderPlan(library, { ...wanted, key: imageKey(rest), planOf })
  if (answer.status === 'copy' || !facts) throw noPicture()
  return { ...answer, ...facts }
}

/** Tells a picture of IIIF from others of its link: not the canonical form, which another file in its place may give another meaning. */
export const imageKey = (rest: string): string => `iiif/${rest}`

/** @throws Invalid */
export const factsOf = (rest: string, shown: ShownPicture): ImageFacts => factsFor(requestOf(rest, shown), shown)

const factsFor = (request: ImageRequest, shown: ShownPicture): ImageFacts => ({
  canonical: canonicalPath(request, shown.original),
  ai: aiLabelOf(shown),
})

const requestOf = (rest: string, { original, focalPoint }: ShownPicture): ImageRequest => imageRequest(rest, original, focalPoint ?? MIDDLE)

const MIDDLE = { x: 0.5, y: 0.5 }

const outputFormats = { jpg: 'jpeg', png: 'png', webp: 'webp' } as const satisfies Record<ImageRequest['format'], OutputFormat>

function planFor({ region: shown, size, mirrored, turned, quality, format }: ImageRequest, { original }: ShownPicture): PicturePlan {
  const region = regionOf(shown, original)
  return {
    ...(region && { region }),
    target: size,
    ...((quality === 'gray' || quality === 'bitonal') && { tone: quality }),
    ...(mirrored && { mirrored }),
    ...(turned !== 0 && { turned }),
    format: outputFormats[format],
  }
}
