import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { drawProfileImages, profileSides } from '../../../shared/tools/imaging/profile-image.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import {
  declarations,
  gama,
  hostile,
  images,
  orientedJpeg,
  pngWith,
  quadrantColours,
  quadrantGreys,
  quadrants,
  save,
  taggedJpeg,
} from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'

/** A dull picture with one bright disc of 40 pixels' radius in it. @param at the disc's centre */
function subjectAt(at: { x: number; y: number }, size: { width: number; height: number }): Sharp {
  const { width, height } = size
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isDisc = Math.hypot(x - at.x, y - at.y) <= 40
      pixels.set(isDisc ? [255, 200, 50] : [70, 80, 76], (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const LIMIT = 4 * 1024 * 1024
const make = async (picture: Buffer | Promise<Buffer>) => drawProfileImages(await picture, LIMIT)
const refusal = async (picture: Buffer | Promise<Buffer>) =>
  make(picture).then(
    () => 'taken',
    (error: Error) => (error instanceof ToolFailed ? error.message : String(error)),
  )

const sizeOf = async (jpeg: Buffer) => {
  const { format, width, height } = await sharp(jpeg).metadata()
  assert.equal(format, 'jpeg')
  return { width, height }
}

async function assertShowsQuarters(original: Buffer, colours: readonly (readonly number[])[] = quadrantColours): Promise<void> {
  assert.deepEqual(await sizeOf(original), quadrants)
  assertClose(await quarters(original), colours, 16)
}

describe('the sizes of a profile image', () => {
  test('are squares of 25, 50 and 100 pixels, and the whole picture', async () => {
    const made = await make(subjectAt({ x: 450, y: 150 }, { width: 900, height: 300 }).jpeg().toBuffer())
    for (const [size, side] of Object.entries(profileSides)) {
      assert.deepEqual(await sizeOf(made[size as keyof typeof profileSides]), { width: side, height: side })
    }
    assert.deepEqual(await sizeOf(made.original), { width: 900, height: 300 })
  })

  test('show what draws attention, all three the same part', async () => {
    const made = await make(subjectAt({ x: 150, y: 840 }, { width: 300, height: 900 }).png().toBuffer())
    const centres = await Promise.all(Object.keys(profileSides).map((each) => discIn(made[each as keyof typeof profileSides])))
    for (const { x, y, share } of centres) {
      assert.ok(share > 0.9 * ((Math.PI * 40 ** 2) / 300 ** 2), `the disc is whole: ${share}`)
      assert.ok(Math.abs(x - centres[2]!.x) < 0.04 && Math.abs(y - centres[2]!.y) < 0.04)
    }
  })
})

describe('the original', () => {
  test('is upright, however it is stored', async () => {
    for (let orientation = 1; orientation <= 8; orientation++) await assertShowsQuarters((await make(orientedJpeg(orientation))).original)
  })

  for (const name of ['plain.jpg', 'display-p3.jpg', 'palette.png', 'deep.png', 'plain.webp', 'animated.gif'] as const) {
    test(`shows ${name} as it is, an animation by its first frame`, async () => assertShowsQuarters((await make(images[name]())).original))
  }

  test('is on white where the picture is transparent', async () => {
    const onWhite = quadrantColours.map((colour) => colour.map((value) => Math.round((value + 255) / 2)))
    for (const name of ['alpha.png', 'deep-alpha.png', 'alpha.webp'] as const) {
      await assertShowsQuarters((await make(images[name]())).original, onWhite)
    }
  })

  test('is in sRGB, whatever the picture is in', async () => {
    for (const name of ['cmyk.jpg', 'cmyk-without-profile.jpg'] as const) {
      const { original, large } = await make(images[name]())
      for (const jpeg of [original, large]) {
        assert.equal((await sharp(jpeg).metadata()).space, 'srgb')
        const [[red, green, blue] = []] = await quarters(jpeg)
        assert.ok(red! > 150 && green! < 100 && blue! < 100, `${name}: ${[red, green, blue]}`)
      }
    }
    for (const name of ['grey.jpg', 'deep-grey.png'] as const) {
      const { original } = await make(images[name]())
      assertClose(
        await quarters(await sharp(original).toColourspace('srgb').png().toBuffer()),
        quadrantGreys.map((grey) => [grey, grey, grey]),
        16,
      )
    }
    // Linear light, as Chromium shows it.
    const { original } = await make(pngWith(gama(1)))
    assertClose((await quarters(original)).slice(0, 1), [[239, 96, 96]], 12)
  })

  test('has no more bytes than are allowed: it is encoded less finely, then smaller', async () => {
    const side = 600
    const noise = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer()
    const lengths = [noise.length * 2, 150_000, 40_000]
    const originals = await Promise.all(lengths.map(async (bytes) => (await drawProfileImages(noise, bytes)).original))
    for (const [at, original] of originals.entries()) assert.ok(original.length <= lengths[at]!)
    const sides = (await Promise.all(originals.map(sizeOf))).map(({ width }) => width)
    assert.equal(sides[0], side)
    assert.ok(sides[2]! < sides[1]! && sides[1]! <= side, String(sides))
  })
})

test('no size holds metadata: not where the picture was taken, by whom, or a thumbnail of it', async () => {
  const { exiftool, directory } = await temporaryExifTool()
  const groupsIn = async (path: string) => {
    const { printed } = await exiftool.run(['-j', '-G', '-a'], path)
    return new Set(Object.keys(JSON.parse(String(printed))[0]).map((tag) => tag.split(':')[0]))
  }
  const path = await taggedJpeg(exiftool, directory, 'gps-south-west.jpg')
  assert.ok((await groupsIn(path)).has('EXIF'))
  const ofAnyJpeg = new Set(['SourceFile', 'ExifTool', 'File', 'JFIF', 'Composite'])
  for (const [size, jpeg] of Object.entries(await make(readFile(path)))) {
    const groups = await groupsIn(await save(directory, `${size}.jpg`, jpeg))
    assert.deepEqual([...groups.difference(ofAnyJpeg)], [], size)
  }
})

describe('what is no picture, or means harm, is refused', () => {
  const notOurs = 'is no JPEG, PNG, WebP or GIF picture'
  const tooLarge = 'has more than 50 million pixels'
  const damaged = 'cannot be decoded: it is damaged'

  for (const [name, reason] of Object.entries({
    'empty.jpg': notOurs,
    'entities.svg': notOurs,
    'pdf-and-jpeg.pdf': notOurs,
    'header-bomb.png': tooLarge,
    'bomb.jpg': tooLarge,
    'truncated.jpg': damaged,
    'header-only.jpg': damaged,
    'noise.jpg': damaged,
  } as const)) {
    test(name, async () => assert.equal(await refusal(hostile[name as keyof typeof hostile]()), reason))
  }

  test('a web page, TIFF, AVIF', async () => {
    for (const picture of [Buffer.from('<!doctype html><script>alert(1)</script>'), images['plain.tif'](), images['plain.avif']()]) {
      assert.equal(await refusal(picture), notOurs)
    }
  })

  test('36 megapixels of which the file holds hardly any', async () => {
    assert.equal(await refusal(declarations['hollow-small.jpg']()), 'cannot be decoded: most of it is missing')
  })

  test('a JPEG of many scans, each of which would go over the whole picture', async () => {
    const whole = await images['progressive.jpg']()
    const scan = whole.subarray(whole.lastIndexOf('ffda', undefined, 'hex'), -2)
    const picture = Buffer.concat([whole.subarray(0, -2), ...Array.from({ length: 250 }, () => scan), whole.subarray(-2)])
    assert.equal(await refusal(picture), 'is built of too many scans')
  })

  test('what is hostile only elsewhere is taken, without it', async () => {
    for (const name of ['text-bomb.png', 'jpeg-and-zip.jpg', 'gif-and-jar.gif', 'page-in-comment.jpg'] as const) {
      const { original } = await make(hostile[name]())
      await assertShowsQuarters(original)
      assert.ok(!original.includes('<script>') && !original.includes('PK\x05\x06'))
    }
  })
})

/** Centre of the bright disc, as parts of the picture's side, and the part of the picture that it covers. */
async function discIn(jpeg: Buffer): Promise<{ x: number; y: number; share: number }> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const bright: [number, number][] = []
  for (let at = 0; at < info.width * info.height; at++) {
    if (data[at * info.channels]! > 160) bright.push([at % info.width, Math.floor(at / info.width)])
  }
  const mean = (axis: 0 | 1) => bright.reduce((sum, pixel) => sum + pixel[axis], 0) / bright.length / info.width
  return { x: mean(0), y: mean(1), share: bright.length / info.width ** 2 }
}
