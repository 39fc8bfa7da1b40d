import sharp, { type Metadata } from 'sharp'
import { geometryOf } from '../../shared/tools/imaging/geometry.ts'
import { createLinkRenderer, type LinkPicture, type WantedPicture } from '../../shared/tools/imaging/link-picture.ts'
import type { Dimensions } from '../../shared/tools/imaging/sizes.ts'
import type { Transformation } from '../../shared/tools/imaging/transformation.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { save } from './pictures/index.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A rendered picture, with what its own bytes say. */
export interface Shown extends LinkPicture {
  header: Metadata
  /** 8-bit sRGB, with opacity where the picture has any, at a place from 0 to 1 across and down, of a frame. */
  at(x: number, y: number, frame?: number): Promise<number[]>
}

/** Sniffs the file of these bytes and renders it as links do. */
export async function renderLinkPicture(
  bytes: Buffer | Promise<Buffer>,
  asked: Transformation = {},
  also: Partial<WantedPicture> = {},
): Promise<Shown> {
  const path = await save(temporaryDirectory(), 'source', bytes)
  const { mime } = await sniff(path)
  const { grayscale, format, background, hdr } = asked
  const geometry = also.target ? { target: also.target } : geometryOf(await dimensionsOf(path), asked, null)
  const plan = { ...geometry, ...(background && { background }), ...(grayscale && { tone: 'gray' as const }), ...(hdr && { hdr }) }
  const labels = { copyright: null, digitalSourceType: null }
  const wanted = { ...plan, ...(format && { format }), mime, transparent: false, labels, ...also }
  return shown(await createLinkRenderer()(path, wanted))
}

async function dimensionsOf(path: string): Promise<Dimensions> {
  return (await sharp(path).metadata()).autoOrient
}

async function shown(picture: LinkPicture): Promise<Shown> {
  const header = await sharp(picture.data, { animated: true }).metadata()
  return {
    ...picture,
    header,
    async at(x, y, frame = 0) {
      const decoded = sharp(picture.data, { page: frame }).toColourspace('srgb').raw()
      const { data, info } = await decoded.toBuffer({ resolveWithObject: true })
      const start = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels
      return [...data.subarray(start, start + info.channels)]
    },
  }
}
