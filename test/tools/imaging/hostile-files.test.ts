import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { makeDecodable } from '../../../shared/tools/imaging/formats.ts'
import { magickToTiff } from '../../../shared/tools/imaging/magick.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { readHeader } from '../../../shared/tools/imaging/vips.ts'
import { sniff } from '../../../shared/tools/sniffing.ts'
import {
  bmp,
  declarations,
  heic,
  hostile,
  psd,
  psds,
  quadrantColours,
  quadrantImage,
  save,
  withExtents,
} from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'
import { rendering } from '../../support/rendering.ts'

const { directory, exiftool, render } = await rendering()

describe('rendering hostile and damaged files', () => {
  it('shows what there is of a truncated JPEG', async () => {
    const { width, height, renditions } = await render(hostile['truncated.jpg']())
    assert.deepEqual([width, height], [640, 480])
    const [upperLeft, upperRight] = await quarters(renditions[6]!.path)
    assertClose([upperLeft!, upperRight!], quadrantColours.slice(0, 2), 8)
  })

  for (const name of ['header-only.jpg', 'header-bomb.png', 'interlaced-bomb.png', 'canvas-bomb.gif', 'bomb.jpg', 'noise.jpg'] as const) {
    it(`refuses ${name}`, async () => assert.rejects(render(hostile[name]()), ToolFailed))
  }

  it('refuses a JPEG and a TIFF of which hardly anything can be decoded', async () => {
    const large = quadrantImage({ width: 640, height: 480 })
    const jpeg = await large.jpeg({ quality: 95 }).toBuffer()
    const tiff = await large.tiff({ compression: 'lzw', tile: true }).toBuffer()
    const noise = (from: number, to: number) =>
      Buffer.from(Array.from({ length: to - from }, (_, at) => (at * 7_919 + (at >> 3)) & 0xff || 1))
    const start = jpeg.indexOf('ffda', 0, 'hex') + 14
    noise(start, jpeg.length - 2).copy(jpeg, start)
    noise(8, tiff.readUInt32LE(4)).copy(tiff, 8)
    for (const bytes of [jpeg, tiff]) await assert.rejects(render(bytes), ToolFailed)
  })

  it('refuses what it has no decoder for, SVG among it', async () => {
    for (const bytes of [hostile['entities.svg'](), hostile['empty.jpg'](), hostile['pdf-and-jpeg.pdf']()]) {
      await assert.rejects(render(bytes), ToolFailed)
    }
  })

  it('does not fall for an SVG that is called a JPEG', async () => {
    const path = await save(directory, 'disguised', hostile['entities.svg']())
    await assert.rejects(createRenderer(exiftool)(path, 'image/jpeg', directory), ToolFailed)
  })

  it('refuses a Photoshop picture that is cut off, and so lacks colours', async () => {
    await assert.rejects(render(psds['rgb-raw.psd']().subarray(0, -1)), ToolFailed)
  })

  it('refuses Photoshop pictures, bitmaps and HEIC of impossible dimensions or none', async () => {
    const wide = psds['rgb.psd']()
    wide.writeUInt32BE(0xffffffff, 18)
    const flat = psd({ mode: 3, planes: [() => 0, () => 0, () => 0] })
    flat.writeUInt32BE(0, 14)
    const huge = bmp(24)
    huge.writeInt32LE(0x7fffffff, 18)
    const noPlanes = psd({ mode: 3, planes: [() => 0] })
    const broken = [wide, flat, huge, noPlanes, psds['multichannel.psd'](), psds['rgb.psd']().subarray(0, 60), heic().subarray(0, 700)]
    for (const bytes of broken) await assert.rejects(render(bytes), ToolFailed)
  })

  for (const [name, make] of [...Object.entries(declarations), ['huge.heic', async () => withExtents(heic(), 60_000)] as const]) {
    it(`refuses ${name}, which declares more than it holds or may hold, before anything is written`, async () => {
      const path = await save(directory, name, make())
      const { mime } = await sniff(path)
      const into = `${path}.decoded`
      if (name === 'hollow.dng') await assert.rejects(createRenderer(exiftool)(path, mime, directory), ToolFailed)
      else {
        await assert.rejects(makeDecodable(path, mime, into, exiftool).then(readHeader), ToolFailed)
        await assert.rejects(stat(into), { code: 'ENOENT' })
      }
    })
  }

  it('blames a damaged HEIC file, and not its decoder, however early it fails and busy the program is', async () => {
    const busy = setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20), 1)
    const path = await save(directory, 'early.heic', heic().subarray(0, 60))
    const tries = Array.from({ length: 4 }, (_, index) => magickToTiff(path, 'Heic', `${path}.${index}`))
    const outcomes = await Promise.allSettled(tries).finally(() => clearInterval(busy))
    for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ToolFailed)
  })
})
