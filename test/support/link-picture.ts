import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Metadata } from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import { createLinkRenderer, type LinkPicture, type WantedPicture } from '../../shared/tools/imaging/link-picture.ts'
import type { Dimensions } from '../../shared/tools/imaging/sizes.ts'
import { type Transformation, targetOf } from '../../shared/tools/imaging/transformation.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { save } from './pictures/index.ts'

/** A rendered picture, with what its own bytes say. */
export interface Shown extends LinkPicture {
  header: Metadata
  /** 8-bit sRGB, with opacity where the picture has any, at a place from 0 to 1 across and down, of a frame. */
  at(x: number, y: number, frame?: number): Promise<number[]>
}

/** What tests of link pictures work with; set up before and cleared away after the tests of the file that calls this. */
export function linkPictures() {
  const setup = {
    directory: '',
    /** Sniffs the file of these bytes and renders it as links do. */
    async render(bytes: Buffer | Promise<Buffer>, asked: Transformation = {}, also: Partial<WantedPicture> = {}): Promise<Shown> {
      const path = await save(await mkdtemp(join(setup.directory, 'one-')), 'source', bytes)
      const { mime } = await sniff(path)
      const { grayscale = false, format } = asked
      const wanted = {
        mime,
        target: also.target ?? targetOf(await dimensionsOf(path), asked),
        grayscale,
        ...(format ? { format } : {}),
        copyright: null,
        ...also,
      }
      return shown(await createLinkRenderer()(path, wanted))
    },
  }
  beforeAll(async () => {
    setup.directory = await mkdtemp(join(tmpdir(), 'link-pictures-'))
  })
  afterAll(() => rm(setup.directory, { recursive: true }))
  return setup
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
