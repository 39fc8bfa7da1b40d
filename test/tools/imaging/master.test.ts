import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { createMasterMaker, type LinkSource, type LinkSources } from '../../../shared/tools/imaging/master.ts'
import { sniff } from '../../../shared/tools/sniffing.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { bmp, dng, heic, images, psds, quadrantColours, quadrantImage, quadrants, save } from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'

const { exiftool, directory } = await temporaryExifTool()

describe('what pictures of links are rendered from', () => {
  async function make(bytes: Buffer | Promise<Buffer>): Promise<LinkSources> {
    const into = await mkdtemp(join(directory, 'one-'))
    const path = await save(into, 'source', bytes)
    return createMasterMaker(exiftool)(path, (await sniff(path)).mime, into)
  }
  const headerOf = async (source: LinkSource | undefined) => {
    const { format, width, height, exif, icc, chromaSubsampling, orientation } = await sharp(source!.path).metadata()
    return { format, width, height, exif, icc, chromaSubsampling, orientation }
  }
  const bare = { exif: undefined, icc: undefined, orientation: undefined }
  const large = { width: 2_600, height: 1_950 }

  it('is a JPEG of 2,048 pixels, and one of 1,280, without subsampling or metadata', async () => {
    const { original, master, smallMaster } = await make(
      quadrantImage(large)
        .withExif({ IFD0: { Make: 'Camera' } })
        .withIccProfile('p3')
        .jpeg()
        .toBuffer(),
    )
    assert.equal(original, undefined)
    assert.equal(master!.mime, 'image/jpeg')
    assert.deepEqual(await headerOf(master), { format: 'jpeg', width: 2_048, height: 1_536, chromaSubsampling: '4:4:4', ...bare })
    assertClose(await quarters(master!.path), quadrantColours, 4)
    assert.deepEqual(await headerOf(smallMaster), { format: 'jpeg', width: 1_280, height: 960, chromaSubsampling: '4:4:4', ...bare })
    assertClose(await quarters(smallMaster!.path), quadrantColours, 4)
  })

  it('is WebP without loss where anything shows through, and only there', async () => {
    const translucent = await make(quadrantImage(large).ensureAlpha(0.5).png().toBuffer())
    assert.equal(translucent.master!.mime, 'image/webp')
    assertClose(
      await quarters(translucent.master!.path),
      quadrantColours.map((colour) => [...colour, 128]),
      3,
    )
    const opaque = await make(quadrantImage(large).ensureAlpha(1).png().toBuffer())
    assert.equal(opaque.master!.mime, 'image/jpeg')
  })

  it('is the original alone where that is small, or moves', async () => {
    for (const name of ['plain.jpg', 'alpha.png', 'animated.gif', 'animated.webp', 'plain.tif', 'plain.avif'] as const) {
      assert.deepEqual(await make(images[name]()), {}, name)
    }
    const frames = Buffer.concat([Buffer.alloc(2_100 * 10 * 3, 50), Buffer.alloc(2_100 * 10 * 3, 200)])
    const moving = sharp(frames, { raw: { width: 2_100, height: 20, channels: 3, pageHeight: 10 } })
    assert.deepEqual(await make(moving.webp({ delay: [50, 50] }).toBuffer()), {})
  })

  for (const [name, bytes] of [
    ['HEIC', () => heic()],
    ['a bitmap', () => bmp(24)],
    ['Photoshop', () => psds['rgb.psd']()],
    ['a raw photo', async () => dng(await images['plain.jpg'](), 1)],
  ] as const) {
    it(`is a picture that libvips decodes where ${name} is none`, async () => {
      const { original, master } = await make(Promise.resolve(bytes()))
      assert.equal(master, undefined)
      assert.equal(original!.mime, 'image/jpeg')
      const { width, height } = await headerOf(original)
      assert.deepEqual([width, height], [quadrants.width, quadrants.height])
      assertClose(await quarters(original!.path), quadrantColours, 8)
    })
  }
})
