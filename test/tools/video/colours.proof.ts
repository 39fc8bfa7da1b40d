import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, it } from 'vitest'
import { EncodedVideo, smallPreview, smallStream } from '../../support/encoded-video.ts'
import { runFfmpeg, type TestPatches, testPatches, withVideos } from '../../support/videos.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** The middle of each patch of a picture, 0 to 1. */
async function patchesOf(picture: Sharp, count: number): Promise<Colour[]> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return Array.from({ length: count }, (_, index) => {
    const pixel = Math.floor(info.height / 2) * info.width + Math.floor(((index + 0.5) * info.width) / count)
    return Array.from(data.subarray(pixel * 3, pixel * 3 + 3), (sample) => sample / 255) as unknown as Colour
  })
}

/** A video's first frame as a player shows that takes it for BT.709 of narrow range. */
async function shownFrame(path: string): Promise<Sharp> {
  const filters = 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24'
  await runFfmpeg(['-v', 'error', '-i', path, '-frames:v', '1', '-vf', filters, `${path}.png`])
  return sharp(`${path}.png`)
}

/** What ffmpeg says of the picture's samples: `tv, bt709`. */
async function labelsOf(path: string): Promise<string | undefined> {
  const { stderr } = await runFfmpeg(['-i', path, '-t', '0', '-f', 'null', '-'])
  return /Video: h264[^\n]*yuv420p\(([^),]*, [^),]*)/.exec(stderr.split('Stream mapping')[0]!)?.[1]
}

/** The patches in all that is made of a video: preview, each size of a stream, poster. All are labelled as what they are. */
async function madeOf(wanted: TestPatches): Promise<{ [made: string]: Colour[] }> {
  const path = await testPatches(wanted)
  const count = wanted.patches.length
  await using preview = await EncodedVideo.open(path, smallPreview)
  await using stream = await EncodedVideo.open(path, smallStream)
  const films = { preview: preview.path('preview.mp4'), '90p': stream.path('ladder_90p.m3u8'), '44p': stream.path('ladder_44p.m3u8') }
  const made: { [made: string]: Colour[] } = {}
  for (const [name, film] of Object.entries(films)) {
    assert.equal(await labelsOf(film), 'tv, bt709', name)
    made[name] = await patchesOf(await shownFrame(film), count)
  }
  // JPEGs have no labels: all readers take them for BT.601 of full range.
  made.poster = await patchesOf(sharp(await readFile(stream.path('poster.0000001.jpg'))), count)
  return made
}

function near(found: Colour, expected: Colour, what: string): void {
  const isNear = found.every((sample, index) => Math.abs(sample - expected[index]!) < 0.03)
  assert.ok(isNear, `${what}: ${found.map((sample) => sample.toFixed(3))}, not ${expected.map((sample) => sample.toFixed(3))}`)
}

describe('the brightness of HDR', withVideos, () => {
  // ITU-R BT.2408, table 1: a grey card of 18 %, and reference white. Then the brightest that there is.
  const signals = { hlg: [0, 0.38, 0.75, 0.9, 1], pq: [0, 0.38, 0.58, 0.7, 1] }

  it.for(['hlg', 'pq'] as const)('of %s is that of ordinary videos: grey as BT.709 has it, white nearly white', async (hdr) => {
    const made = await madeOf({ hdr, patches: signals[hdr].map((grey): Colour => [grey, grey, grey]) })
    for (const [name, patches] of Object.entries(made)) {
      const [black, card, white, brighter, brightest] = patches.map(([, green]) => green)
      const found = `${name}: ${patches.map(([, green]) => green.toFixed(3))}`
      assert.ok(black! < 0.02, found)
      // What a camera of BT.709 makes of 18 %: 0.41. What a screen of BT.1886 shows 18 % with: 0.49, and 26 of 203 cd/m²: 0.425.
      assert.ok(card! > 0.39 && card! < 0.46, found)
      assert.ok(white! > 0.85 && white! < 0.95, found)
      // Highlights are told from each other.
      assert.ok(brighter! > white! + 0.02 && brightest! > brighter! + 0.01 && brightest! <= 1, found)
      for (const [red, green, blue] of patches) assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 0.02, found)
    }
  })
})

describe('the colours of videos', withVideos, () => {
  const patches: Colour[] = [
    [0.8, 0.12, 0.16],
    [0.2, 0.7, 0.3],
    [0.16, 0.24, 0.8],
    [0.85, 0.65, 0.55],
  ]
  const cases: { [name: string]: Omit<TestPatches, 'patches'> } = {
    'of HD without labels, which is BT.709': { width: 1280, height: 720, matrix: 'bt709' },
    'of SD without labels, which is BT.601': { matrix: 'smpte170m' },
    'of HD labelled BT.601': { width: 1280, height: 720, matrix: 'smpte170m', labels: { matrix: 'smpte170m' } },
    'of full range': { matrix: 'smpte170m', isFullRange: true },
    'with labels that mean nothing here': { matrix: 'smpte170m', labels: { primaries: 'smpte428', transfer: 'log316' } },
  }
  it.for(Object.entries(cases))('%s are those that it has, in all that is made of it', async ([, wanted]) => {
    const made = await madeOf({ ...wanted, patches })
    for (const [name, found] of Object.entries(made)) for (const [index, patch] of patches.entries()) near(found[index]!, patch, name)
  })

  it('of a wider gamut become those of BT.709', async () => {
    const labels = { matrix: 'bt709', primaries: 'smpte432', transfer: 'bt709' }
    const patches: Colour[] = [
      [0.6, 0.5, 0.4],
      [0.3, 0.5, 0.3],
    ]
    const made = await madeOf({ matrix: 'bt709', labels, patches })
    // Display P3 to BT.709, of light: both have D65 as white.
    const toBt709 = ([r, g, b]: Colour): Colour => [1.2249 * r - 0.2247 * g, -0.042 * r + 1.0419 * g, -0.0197 * r - 0.0786 * g + 1.0979 * b]
    const power = (colour: Colour, exponent: number) => colour.map((sample) => sample ** exponent) as unknown as Colour
    for (const [name, found] of Object.entries(made))
      for (const [index, patch] of patches.entries()) near(found[index]!, power(toBt709(power(patch, 2.4)), 1 / 2.4), name)
  })
})
