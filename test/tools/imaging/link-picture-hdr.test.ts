import assert from 'node:assert/strict'
import sharp, { type Sharp } from 'sharp'
import { describe, it } from 'vitest'
import { parseTransformation } from '../../../shared/tools/imaging/transformation.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { renderLinkPicture, type Shown } from '../../support/link-picture.ts'
import { hdrJpeg, images, isBright, save } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

const render = async (bytes: Buffer | Promise<Buffer>, query: string, also: Parameters<typeof renderLinkPicture>[2] = {}) =>
  renderLinkPicture(bytes, parseTransformation(query) ?? assert.fail(query), also)

const ULTRA_HDR = { operation: ['VipsForeignLoadUhdr'] }

/** What libvips' decoder of Ultra HDR says of a picture; it is blocked otherwise. */
async function decoded({ data }: Shown) {
  sharp.unblock(ULTRA_HDR)
  try {
    const { width, height, gainMap } = await sharp(data).metadata()
    // It refuses pictures whose gain map it can't apply.
    await (sharp(data) as Sharp & { withGainMap(): Sharp }).withGainMap().raw().toBuffer()
    return { size: [width, height], map: gainMap && Buffer.from(gainMap.image) }
  } finally {
    sharp.block(ULTRA_HDR)
  }
}

/** Says whether a picture, or a map, is bright at a place from 0 to 1. */
async function brightness(image: Uint8Array): Promise<(x: number, y: number) => boolean> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  return (x, y) => data[(Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels]! > 128
}

/** The part of the picture that a render shows. */
type Part = [x: number, y: number, width: number, height: number]
const whole: Part = [0, 0, 1, 1]

async function assertAligned(picture: Shown, [left, top, width, height]: Part) {
  const { map } = await decoded(picture)
  assert.ok(map)
  const [shown, mapped] = [await brightness(picture.data), await brightness(map)]
  for (let y = 0.025; y < 1; y += 0.05) {
    for (let x = 0.025; x < 1; x += 0.05) {
      const [inX, inY] = [left + x * width, top + y * height]
      // Within two pixels of the map of an edge either is right.
      const near = [-0.02, 0.02].some(
        (off) => isBright(inX + off, inY) !== isBright(inX, inY) || isBright(inX, inY + off) !== isBright(inX, inY),
      )
      if (near) continue
      const at = `${inX.toFixed(3)} ${inY.toFixed(3)}`
      assert.equal(shown(x, y), isBright(inX, inY), `picture at ${at}`)
      assert.equal(mapped(x, y), isBright(inX, inY), `map at ${at}`)
    }
  }
}

const sizeOf = async (image: Buffer) => {
  const { width, height } = await sharp(image).metadata()
  return [width, height]
}

describe('a picture with a gain map', () => {
  for (const form of ['iso', 'xmp', 'both'] as const) {
    it(`keeps it, as small as itself, and decodes as HDR: ${form}`, async () => {
      const picture = await render(hdrJpeg({ form }), 'width=200&hdr=1&output_format=avif')
      assert.equal(picture.mime, 'image/jpeg')
      const { size, map } = await decoded(picture)
      assert.deepEqual(
        [size, await sizeOf(map!)],
        [
          [200, 160],
          [50, 40],
        ],
      )
      await assertAligned(picture, whole)
    })
  }

  it.for<[string, Part, number[]]>([
    ['hdr=1', whole, [400, 320]],
    ['crop=0.05,0.05,0.5,0.5&hdr=1', [0.05, 0.05, 0.5, 0.5], [200, 160]],
    ['crop=0.0131,0.0234,0.6,0.6&width=113&hdr=1', [0.0131, 0.0234, 0.6, 0.6], [113, 90]],
    ['fit=cover&focus=0,0.2&width=100&height=160&hdr=1', [0, 0, 0.5, 1], [100, 160]],
    ['aspect=1:1&focus=0,0&width=77&hdr=1', [0, 0, 0.8, 1], [77, 77]],
  ])('keeps it aligned through %s, however it is stored', async ([query, part, size]) => {
    for (const orientation of [1, 3, 6, 8]) {
      const picture = await render(hdrJpeg({ orientation }), query)
      assert.deepEqual((await decoded(picture)).size, size)
      await assertAligned(picture, part)
    }
  })

  it('keeps it where what stands out is cut out, and where it is turned', async () => {
    const cut = await render(hdrJpeg(), 'fit=cover&focus=auto&width=80&height=160&hdr=1')
    const { size, map } = await decoded(cut)
    assert.deepEqual(
      [size, await sizeOf(map!)],
      [
        [80, 160],
        [20, 40],
      ],
    )
    const turned = await decoded(await render(hdrJpeg(), 'width=200&hdr=1', { turned: 90 }))
    assert.deepEqual(
      [turned.size, await sizeOf(turned.map!)],
      [
        [160, 200],
        [40, 50],
      ],
    )
    const isBrightAt = await brightness(turned.map!)
    assert.ok(isBrightAt(0.78, 0.22) && !isBrightAt(0.22, 0.22))
  })

  it('is labelled, and tells nothing else', async () => {
    const labels = { copyright: '© Zoë & 写真', digitalSourceType: 'trainedAlgorithmicMedia' }
    for (const form of ['iso', 'xmp'] as const) {
      const picture = await render(hdrJpeg({ form }), 'width=200&hdr=1', { labels })
      const { printed } = await exiftool.readTags(await save(directory, `${form}.jpg`, Buffer.from(picture.data)), `${form}.jpg`)
      assert.deepEqual([printed.EXIF?.Copyright, printed.XMP?.Rights], [labels.copyright, labels.copyright])
      assert.equal(printed.XMP?.DigitalSourceType, 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia')
      assert.deepEqual([printed.ExifTool?.Warning, printed.ExifTool?.Error], [undefined, undefined])
      assert.ok(!Buffer.from(picture.data).includes('Told'))
      assert.ok((await decoded(picture)).map)
    }
  })

  it('is as ever without hdr, on a canvas and without colours', async () => {
    for (const query of [
      'width=200',
      'fit=pad&width=200&height=200&hdr=1',
      'width=200&grayscale=1&hdr=1',
      'width=200&hdr=1&output_format=png',
    ]) {
      const asked = query.includes('png') ? render(images['plain.jpg'](), query) : render(hdrJpeg(), query)
      assert.equal((await decoded(await asked)).map, undefined, query)
    }
  })

  it('that is damaged is shown without it', async () => {
    const bytes = await hdrJpeg()
    for (const cut of [bytes.length - 2_000, bytes.length - 900, bytes.length - 100]) {
      const picture = await render(bytes.subarray(0, cut), 'width=100&hdr=1')
      assert.deepEqual([picture.header.width, picture.header.height], [100, 80])
    }
    const lying = Buffer.from(bytes)
    const index = lying.indexOf('MPF\0')
    for (let at = 8; at < 86; at += 4) {
      const odd = Buffer.from(lying)
      odd.writeUInt32LE(0xfffffff0, index + at)
      assert.equal((await render(odd, 'width=100&hdr=1')).header.width, 100)
    }
  })
})
