import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { type Rendered, renderSizes } from '../../../shared/tools/imaging/render.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { sniff } from '../../../shared/tools/sniffing.ts'
import {
  bmp,
  dng,
  heic,
  hostile,
  images,
  orientedJpeg,
  psd,
  psds,
  quadrantColours,
  quadrantImage,
  quadrants,
  save,
} from '../../support/pictures/index.ts'

let directory: string
let exiftool: ExifTool

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'render-'))
  exiftool = createExifTool()
})
after(async () => {
  await exiftool.close()
  await rm(directory, { recursive: true })
})

async function render(bytes: Buffer | Promise<Buffer>): Promise<Rendered> {
  const into = await mkdtemp(join(directory, 'one-'))
  const path = await save(into, 'original', bytes)
  const { mime } = await sniff(path)
  return await renderSizes(path, mime, into, exiftool)
}

/** Colours in the middle of the four quarters: upper left, upper right, lower left, lower right. */
async function quarters(path: string): Promise<number[][]> {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ].map(([x, y]) => {
    const at = (Math.floor(info.height * y!) * info.width + Math.floor(info.width * x!)) * info.channels
    return [...data.subarray(at, at + info.channels)]
  })
}

function assertClose(actual: number[][], expected: readonly (readonly number[])[], tolerance: number): void {
  assert.equal(actual.length, expected.length)
  for (const [index, colour] of actual.entries()) {
    assert.equal(colour.length, expected[index]!.length)
    for (const [channel, value] of colour.entries()) {
      const difference = Math.abs(value - expected[index]![channel]!)
      assert.ok(difference <= tolerance, `colour ${index} is ${colour}, expected ${expected[index]}`)
    }
  }
}

async function assertShowsQuarters(rendered: Rendered, tolerance = 8): Promise<void> {
  for (const { path } of rendered.renditions) assertClose(await quarters(path), quadrantColours, tolerance)
}

describe('rendering', () => {
  it('makes seven sizes by the longest side, from the dimensions of the original', async () => {
    const rendered = await render(quadrantImage({ width: 3_001, height: 1_999 }).jpeg().toBuffer())
    assert.deepEqual([rendered.width, rendered.height], [3_001, 1_999])
    assert.deepEqual(
      rendered.renditions.map(({ size, width, height }) => [size, width, height]),
      [
        ['110px', 110, 73],
        ['200px', 200, 133],
        ['320px', 320, 213],
        ['480px', 480, 320],
        ['800px', 800, 533],
        ['1200px', 1_200, 799],
        ['1600px', 1_600, 1_066],
      ],
    )
    for (const { path, width, height, mime, bytes } of rendered.renditions) {
      const header = await sharp(path).metadata()
      assert.deepEqual([header.format, header.width, header.height], ['jpeg', width, height])
      assert.deepEqual([mime, bytes], ['image/jpeg', (await stat(path)).size])
    }
    await assertShowsQuarters(rendered)
  })

  it('never enlarges: sizes past the original are the original, in one file', async () => {
    const { renditions } = await render(quadrantImage({ width: 150, height: 300 }).png().toBuffer())
    assert.deepEqual(
      renditions.map(({ width, height }) => `${width}x${height}`),
      ['55x110', '100x200', '150x300', '150x300', '150x300', '150x300', '150x300'],
    )
    assert.equal(new Set(renditions.map(({ path }) => path)).size, 3)
  })

  it('leaves nothing else behind', async () => {
    const into = await mkdtemp(join(directory, 'clean-'))
    const path = await save(directory, 'clean.psd', psds['rgb.psd']())
    const { renditions } = await renderSizes(path, 'image/vnd.adobe.photoshop', into, exiftool)
    assert.deepEqual(new Set((await readdir(into)).map((name) => join(into, name))), new Set(renditions.map((rendition) => rendition.path)))
  })

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`turns a picture of orientation ${orientation} upright`, async () => {
      const rendered = await render(orientedJpeg(orientation))
      assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
      await assertShowsQuarters(rendered)
      assert.equal((await sharp(rendered.renditions[0]!.path).metadata()).orientation, undefined)
    })
  }

  for (const name of [
    'plain.jpg',
    'progressive.jpg',
    'plain.png',
    'interlaced.png',
    'palette.png',
    'deep.png',
    'opaque-alpha.png',
    'plain.webp',
    'plain.tif',
    'plain.avif',
    'animated.gif',
    'animated.webp',
  ] as const) {
    it(`shows ${name} as it is, an animation by its first frame`, async () => {
      const rendered = await render(images[name]())
      assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
      assert.equal(rendered.renditions[0]!.mime, 'image/jpeg')
      await assertShowsQuarters(rendered)
    })
  }

  it('converts Display P3 to sRGB', async () => {
    const source = images['display-p3.jpg']()
    const stored = await sharp(await source).pipelineColourspace('rgb').raw().toBuffer()
    assert.ok(Math.abs(stored[0]! - quadrantColours[0][0]) > 10, 'the stored numbers differ from those of sRGB')
    await assertShowsQuarters(await render(source))
  })

  it('converts CMYK to sRGB, with a profile or without', async () => {
    // What this saturated picture keeps of its colours in print (sRGB to CMYK and back by Little CMS).
    const printed = [
      [217, 42, 21],
      [110, 160, 37],
      [33, 62, 120],
      [240, 210, 2],
    ]
    for (const name of ['cmyk.jpg', 'cmyk-without-profile.jpg'] as const) {
      const { renditions } = await render(images[name]())
      assertClose(await quarters(renditions[6]!.path), printed, 12)
    }
  })

  it('keeps grey pictures grey', async () => {
    const light = quadrantColours.map(([r, g, b]) => Math.round(0.299 * r + 0.587 * g + 0.114 * b))
    for (const name of ['grey.jpg', 'deep-grey.png'] as const) {
      const { renditions } = await render(images[name]())
      for (const [index, [r, g, b]] of (await quarters(renditions[6]!.path)).entries()) {
        assert.ok(r === g && g === b)
        assert.ok(Math.abs(r! - light[index]!) < 30)
      }
    }
  })

  for (const name of ['alpha.png', 'deep-alpha.png', 'alpha.webp'] as const) {
    it(`keeps the transparency of ${name}`, async () => {
      const { renditions } = await render(images[name]())
      for (const { path, mime } of renditions) {
        assert.equal(mime, 'image/png')
        assertClose(
          await quarters(path),
          quadrantColours.map((colour) => [...colour, 128]),
          3,
        )
      }
    })
  }

  it('renders one pixel, and pictures a thousand times as long as wide', async () => {
    assert.equal((await render(images['one-pixel.png']())).renditions[6]!.width, 1)
    const tall = await render(images['tall.png']())
    assert.deepEqual([tall.width, tall.height], [1, 20_000])
    assert.deepEqual([tall.renditions[0]!.width, tall.renditions[0]!.height], [1, 110])
    const wide = await render(images['wide.jpg']())
    assert.deepEqual([wide.renditions[6]!.width, wide.renditions[6]!.height], [1_600, 1])
  })
})

describe('rendering formats that libvips lacks', () => {
  for (const name of ['rgb.psd', 'rgb-raw.psd', 'rgb-16.psd', 'large.psb', 'extra-channel.psd', 'indexed.psd'] as const) {
    it(`shows the flattened picture of ${name}`, async () => assertShowsQuarters(await render(Promise.resolve(psds[name]()))))
  }

  it("keeps a Photoshop picture's transparency", async () => {
    const { renditions } = await render(psds['transparent.psd']())
    assertClose(
      await quarters(renditions[6]!.path),
      quadrantColours.map((colour) => [...colour, 128]),
      3,
    )
  })

  it('shows grey and CMYK Photoshop pictures', async () => {
    const grey = await render(psds['grey.psd']())
    assertClose(await quarters(grey.renditions[6]!.path), [60, 190, 90, 220].map((value) => [value, value, value]), 3)
    const [cyan, yellow] = [
      [0, 158, 224],
      [255, 237, 0],
    ]
    for (const name of ['cmyk.psd', 'cmyk-raw.psd'] as const) {
      const { renditions } = await render(psds[name]())
      assertClose(await quarters(renditions[6]!.path), [cyan!, yellow!, cyan!, yellow!], 12)
    }
  })

  for (const bits of [8, 16, 24, 32] as const) {
    it(`shows bitmaps of ${bits} bits`, async () => assertShowsQuarters(await render(bmp(bits)), 12))
  }

  it('shows bitmaps stored from the top down', async () => assertShowsQuarters(await render(bmp(24, { topDown: true }))))

  it('shows HEIC, in sRGB', async () => {
    const rendered = await render(heic())
    assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
    await assertShowsQuarters(rendered)
  })

  it('shows the preview of a raw photo, turned as the raw photo says', async () => {
    const rendered = await render(dng(await images['plain.jpg'](), 6))
    assert.deepEqual([rendered.width, rendered.height], [quadrants.height, quadrants.width])
    const [upperLeft, upperRight, lowerLeft, lowerRight] = quadrantColours
    assertClose(await quarters(rendered.renditions[6]!.path), [lowerLeft, upperLeft, lowerRight, upperRight], 8)
  })
})

describe('rendering hostile and damaged files', () => {
  it('shows what there is of a truncated JPEG', async () => {
    const { width, height, renditions } = await render(hostile['truncated.jpg']())
    assert.deepEqual([width, height], [640, 480])
    const [upperLeft, upperRight] = await quarters(renditions[6]!.path)
    assertClose([upperLeft!, upperRight!], quadrantColours.slice(0, 2), 8)
  })

  it('shows what there is of a truncated bitmap and Photoshop picture', async () => {
    const half = await render(bmp(24).subarray(0, 5_000))
    assertClose((await quarters(half.renditions[6]!.path)).slice(2), quadrantColours.slice(2), 8)
    await render(psds['rgb-raw.psd']().subarray(0, 8_000))
  })

  for (const name of ['header-only.jpg', 'header-bomb.png', 'interlaced-bomb.png', 'canvas-bomb.gif', 'bomb.jpg', 'noise.jpg'] as const) {
    it(`refuses ${name}`, async () => assert.rejects(render(hostile[name]()), ToolFailed))
  }

  it('refuses what it has no decoder for, SVG among it', async () => {
    for (const bytes of [hostile['entities.svg'](), hostile['empty.jpg'](), hostile['pdf-and-jpeg.pdf']()]) {
      await assert.rejects(render(bytes), ToolFailed)
    }
  })

  it('does not fall for an SVG that is called a JPEG', async () => {
    const path = await save(directory, 'disguised', hostile['entities.svg']())
    await assert.rejects(renderSizes(path, 'image/jpeg', directory, exiftool), ToolFailed)
  })

  it('refuses Photoshop pictures, bitmaps and HEIC of impossible dimensions or none', async () => {
    const wide = psds['rgb.psd']()
    wide.writeUInt32BE(0xffffffff, 18)
    const flat = psd({ mode: 3, planes: [() => 0, () => 0, () => 0] })
    flat.writeUInt32BE(0, 14)
    const huge = bmp(24)
    huge.writeInt32LE(0x7fffffff, 18)
    const noPlanes = psd({ mode: 3, planes: [() => 0] })
    const broken = [wide, flat, huge, noPlanes, psds['lab.psd'](), psds['rgb.psd']().subarray(0, 60), heic().subarray(0, 700)]
    for (const bytes of broken) await assert.rejects(render(bytes), ToolFailed)
  })

  it('tells a file that is missing from one that is bad', async () => {
    await assert.rejects(renderSizes(join(directory, 'missing'), 'image/jpeg', directory, exiftool), { code: 'ENOENT' })
  })
})
