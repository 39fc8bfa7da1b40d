import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { parseTransformation } from '../../../shared/tools/imaging/transformation.ts'
import { renderLinkPicture, type Shown } from '../../support/link-picture.ts'
import { images, orientedJpeg, quadrantColours, quadrantImage } from '../../support/pictures/index.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

const [red, green, blue, yellow] = quadrantColours

const render = (bytes: Buffer | Promise<Buffer>, query: string, also: Parameters<typeof renderLinkPicture>[2] = {}) =>
  renderLinkPicture(bytes, parseTransformation(query) ?? assert.fail(query), also)
const sizeOf = ({ header }: Shown) => [header.width, header.pageHeight ?? header.height]
/** Colours in the corners, each two pixels off the edges. */
const cornersOf = ({ header, at }: Shown, frame = 0) => {
  const [x, y] = [2.5 / header.width, 2.5 / (header.pageHeight ?? header.height)]
  const corners = [
    [x, y],
    [1 - x, y],
    [x, 1 - y],
    [1 - x, 1 - y],
  ] as const
  return Promise.all(corners.map(([left, top]) => at(left, top, frame)))
}

describe('a cut of a picture', () => {
  it.for([
    ['crop=0,0,0.5,0.5', [red, red, red, red]],
    ['crop=0.5,0,0.5,0.5&width=16', [green, green, green, green]],
    ['crop=0.5,0,0.5,1&width=16', [green, green, yellow, yellow]],
    ['fit=cover&focus=0,0&width=8&height=24', [red, red, blue, blue]],
    ['fit=cover&focus=1,0&width=8&height=24', [green, green, yellow, yellow]],
    ['aspect=4:1&focus=0.5,1', [blue, yellow, blue, yellow]],
    ['fit=cover&width=20&height=20', [red, green, blue, yellow]],
  ] as const)('by %s shows that part alone, however the picture is stored', async ([query, expected]) => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const picture = await render(orientedJpeg(orientation), `${query}&output_format=png`)
      assertClose(await cornersOf(picture), expected, 12)
    }
  })

  it('of a large JPEG, which is decoded smaller, shows the same part, turned or not', async () => {
    const large = await quadrantImage({ width: 2_400, height: 1_600 }).jpeg().toBuffer()
    const turned = await sharp(large).withMetadata({ orientation: 6 }).toBuffer()
    const right = await render(large, 'crop=0.5,0,0.5,1&width=200&output_format=png')
    assert.deepEqual(sizeOf(right), [200, 267])
    assertClose(await cornersOf(right), [green, green, yellow, yellow], 8)
    const upright = await render(turned, 'crop=0,0,1,0.5&width=200&output_format=png')
    assert.deepEqual(sizeOf(upright), [200, 150])
    assertClose(await cornersOf(upright), [blue, red, blue, red], 8)
  })

  it.for(['plain.png', 'plain.webp', 'plain.avif', 'plain.tif', 'cmyk.jpg', 'deep.png', 'display-p3.jpg', 'alpha.png'] as const)(
    'is made of %s',
    async (name) => {
      const picture = await render(images[name](), 'fit=cover&focus=1,1&width=10&height=20')
      assert.deepEqual(sizeOf(picture), [10, 20])
      const [upper, , lower] = (await cornersOf(picture)).map((colour) => colour.slice(0, 3))
      // Print has other colours, but no others in their place.
      assert.ok(upper![1]! > upper![0]! && lower![0]! > lower![2]!, `${upper} ${lower}`)
    },
  )

  it('has at least a pixel, and every extreme shape', async () => {
    const tiny = quadrantImage({ width: 3, height: 5 }).png().toBuffer()
    assert.deepEqual(sizeOf(await render(tiny, 'aspect=1:100')), [1, 5])
    assert.deepEqual(sizeOf(await render(tiny, 'aspect=100:1')), [3, 1])
    assert.deepEqual(sizeOf(await render(tiny, 'crop=0.9999,0.9999,0.0001,0.0001')), [1, 1])
    assert.deepEqual(sizeOf(await render(tiny, 'fit=cover&width=4096&height=1')), [3, 1])
    assert.deepEqual(sizeOf(await render(tiny, 'aspect=1:100&focus=auto')), [1, 5])
  })

  it('round what stands out holds it', async () => {
    const plain = sharp({ create: { width: 600, height: 200, channels: 3, background: '#606060' } })
    const face = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#f0a080' } })
      .png()
      .toBuffer()
    const bytes = await plain
      .composite([{ input: face, left: 500, top: 70 }])
      .png()
      .toBuffer()
    for (const query of ['fit=cover&focus=auto&width=100&height=100', 'crop=0.5,0,0.5,1&aspect=1:1&focus=auto&width=100']) {
      const picture = await render(bytes, `${query}&output_format=png`)
      assert.deepEqual(sizeOf(picture), [100, 100])
      const { channels } = await sharp(picture.data).stats()
      assert.equal(channels[0]!.max >= 230, true, query)
    }
  })

  it('of a picture that moves is of all frames', async () => {
    for (const name of ['animated.gif', 'animated.webp'] as const) {
      for (const query of ['crop=0.5,0,0.5,1', 'fit=cover&focus=0,0&width=10&height=20', 'fit=cover&focus=auto&width=10&height=20']) {
        const picture = await render(images[name](), query)
        assert.equal(picture.header.pages, 2)
        assert.deepEqual(sizeOf(picture), query.startsWith('crop') ? [32, 48] : [10, 20])
      }
    }
  })
})

describe('a picture on a canvas', () => {
  it('is in its middle, never enlarged, on transparency or white', async () => {
    for (const format of ['png', 'webp', 'avif', 'jpeg'] as const) {
      const picture = await render(quadrantImage().png().toBuffer(), `fit=pad&width=100&height=80&output_format=${format}`)
      assert.deepEqual(sizeOf(picture), [100, 80])
      const nothing = format === 'jpeg' ? [255, 255, 255] : [0, 0, 0, 0]
      for (const corner of await cornersOf(picture)) assertClose([format === 'jpeg' ? corner : [0, 0, 0, corner[3]!]], [nothing], 4)
      assertClose([(await picture.at(0.3, 0.3)).slice(0, 3), (await picture.at(0.7, 0.7)).slice(0, 3)], [red, yellow], 10)
    }
  })

  it('is on the asked colour, which shows through the picture, too, and is grey where that is', async () => {
    const picture = await render(images['alpha.png'](), 'fit=pad&width=80&height=80&background=0000ff')
    assertClose(await cornersOf(picture).then(([corner]) => [corner!.slice(0, 3)]), [[0, 0, 255]], 3)
    assertClose([(await picture.at(0.3, 0.4)).slice(0, 3)], [[110, 15, 142]], 8)
    const grey = await render(quadrantImage().jpeg().toBuffer(), 'fit=pad&width=80&height=80&background=ff0000&grayscale=1')
    const expected = await render(
      sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
        .png()
        .toBuffer(),
      'grayscale=1',
    )
    const [value] = await expected.at(0.5, 0.5)
    for (const colour of await cornersOf(grey)) assertClose([colour.slice(0, 3)], [[value!, value!, value!]], 3)
  })

  it('moves on it', async () => {
    for (const name of ['animated.gif', 'animated.webp'] as const) {
      const still = await render(images[name](), 'width=64')
      const picture = await render(images[name](), 'fit=pad&width=90&height=90&background=00ff00')
      assert.deepEqual([picture.header.pages, ...sizeOf(picture)], [2, 90, 90])
      for (const frame of [0, 1]) {
        assertClose(await cornersOf(picture, frame).then((all) => all.map((colour) => colour.slice(0, 3))), Array(4).fill([0, 255, 0]), 4)
        assertClose([(await picture.at(0.3, 0.4, frame)).slice(0, 3)], [(await still.at(0.22, 0.31, frame)).slice(0, 3)], 12)
      }
    }
  })

  it('is smaller with its canvas where the format has no more', async () => {
    const wide = await render(
      sharp({ create: { width: 6_000, height: 3, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'output_format=avif',
    )
    assert.equal(wide.header.width, 4_096)
  })
})

describe('the background', () => {
  it('shows through in JPEG', async () => {
    const picture = await render(images['alpha.png'](), 'background=0000ff&output_format=jpeg')
    assertClose([await picture.at(0.25, 0.25)], [[110, 15, 142]], 8)
  })
})

describe('a picture for IIIF', () => {
  const png = quadrantImage().png().toBuffer()
  it.for([
    [{ mirrored: true }, [green, red, yellow, blue]],
    [{ turned: 90 }, [blue, red, yellow, green]],
    [{ turned: 180 }, [yellow, blue, green, red]],
    [{ turned: 270 }, [green, yellow, red, blue]],
    [{ mirrored: true, turned: 90 }, [yellow, green, blue, red]],
  ] as const)('is mirrored first, and turned: %j', async ([also, expected]) => {
    const picture = await render(await png, 'width=32', also)
    assert.deepEqual(sizeOf(picture), 'turned' in also && also.turned !== 180 ? [24, 32] : [32, 24])
    assertClose(await cornersOf(picture), expected, 8)
  })

  it('is mirrored and turned after its cut, however it is stored', async () => {
    const large = await quadrantImage({ width: 2_400, height: 1_600 }).jpeg().toBuffer()
    for (const source of [large, await orientedJpeg(7)]) {
      const picture = await render(source, 'crop=0,0,1,0.5&width=20&output_format=png', { turned: 90 })
      assert.equal(picture.header.height, 20)
      assertClose(await cornersOf(picture), [red, red, green, green], 12)
    }
  })

  it('has two tones', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const picture = await render(images['alpha.png'](), `output_format=${format}`, { tone: 'bitonal' })
      const shown = (await cornersOf(picture)).map(([value]) => value)
      assert.ok(
        shown.every((value) => value! < 4 || value! > 251),
        `${shown}`,
      )
      if (format === 'png') assert.equal(picture.header.bitsPerSample, 1)
    }
  })
})

describe('the best format', () => {
  const of = async (name: keyof typeof images, query: string, also: Parameters<typeof renderLinkPicture>[2] = {}) =>
    (await render(images[name](), query, also)).mime
  it.for([
    ['plain.jpg', 'output_format=auto&accept=avif,webp', 'image/avif'],
    ['plain.jpg', 'output_format=auto&accept=avif', 'image/avif'],
    ['plain.jpg', 'output_format=auto&accept=webp', 'image/webp'],
    ['plain.png', 'output_format=auto', 'image/jpeg'],
    ['animated.gif', 'output_format=auto&accept=avif,webp', 'image/webp'],
    ['animated.gif', 'output_format=auto&accept=avif', 'image/gif'],
    ['animated.webp', 'output_format=auto', 'image/gif'],
  ] as const)('of %s by %s is %s', async ([name, query, expected]) => assert.equal(await of(name, query), expected))

  it('is PNG where anything shows through, but on a colour', async () => {
    assert.equal(await of('alpha.png', 'output_format=auto', { transparent: true }), 'image/png')
    assert.equal(await of('alpha.png', 'output_format=auto&accept=webp', { transparent: true }), 'image/webp')
    const padded = 'fit=pad&width=80&height=80&background=ffffff&output_format=auto'
    assert.equal(await of('alpha.png', padded, { transparent: true }), 'image/jpeg')
  })
})
