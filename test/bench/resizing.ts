import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { EngineUnavailable } from '../support/aws/engine.ts'
import { photo } from '../support/pictures/index.ts'
import { openScores } from './picture-scores.ts'
import type { Row } from './report.ts'
import { resizedPictures } from './resized-pictures.ts'
import { median } from './timing.ts'

/** Widths of results, in pixels. */
const WIDTHS = [320, 800, 1600]

type Format = 'jpeg' | 'webp' | 'avif'

/** The settings of pictures of links. */
const encoders: Readonly<Record<Format, { quality: number; encode(image: Sharp, quality: number): Sharp }>> = {
  jpeg: { quality: 80, encode: (image, quality) => image.jpeg({ quality }) },
  webp: { quality: 80, encode: (image, quality) => image.webp({ quality }) },
  avif: { quality: 50, encode: (image, quality) => image.avif({ quality, effort: 3 }) },
}
const formats = Object.keys(encoders) as Format[]

/** How samples are averaged: as they are stored (the gamma of sRGB), or as the light that they stand for. */
type Light = 'stored' | 'linear'

const resizers: Readonly<Record<Light, (image: Sharp, width: number) => Sharp>> = {
  stored: (image, width) => image.resize(width).toColourspace('srgb'),
  linear: (image, width) => image.pipelineColourspace('scrgb').resize(width).toColourspace('srgb'),
}

/**
 * The light in which pictures are made smaller: stored samples, as most programs do, or linear light. What a picture should look like when
 * it is smaller is a choice, so results are compared with three references. Both lights get equal bytes.
 * @param options.rounds of the costs
 */
export async function run({ rounds = 5 } = {}): Promise<Row[]> {
  sharp.cache(false)
  const rows = [...(await brightness()), ...(await costs(rounds))]
  const score = await openScores().catch((error: Error) => {
    if (!(error instanceof EngineUnavailable)) throw error
    console.log(`Looks are not compared, because SSIMULACRA2 is not there: ${error.message}`)
  })
  return score ? [...rows, ...(await looks(score))] : rows
}

/** Mean light of a checkerboard of black and white pixels, which is half of white's, when each result's pixel stands for many. */
async function brightness(): Promise<Row[]> {
  const side = 512
  const board = Buffer.from(Array.from({ length: side * side }, (_, n) => (((n % side) + Math.floor(n / side)) % 2) * 255))
  const rows: Row[] = []
  for (const [light, resize] of Object.entries(resizers)) {
    const image = sharp(board, { raw: { width: side, height: side, channels: 1 } }).toColourspace('srgb')
    const data = await resize(sharp(await image.png().toBuffer()), side / 4)
      .raw()
      .toBuffer()
    const mean = data.reduce((sum, sample) => sum + toLight[sample]!, 0) / data.length
    rows.push({ what: `a checkerboard keeps its light, ${light}`, value: mean / 0.5, unit: 'ratio' })
  }
  return rows
}

/** What a picture costs, of the sources that links have: a master, and an original whose decoder makes it smaller while it reads. */
async function costs(rounds: number): Promise<Row[]> {
  const original = await photo(24, 0)
  const small = await sharp(original).resize(1280).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  const master = await sharp(original).resize(2048).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  const rows: Row[] = []
  for (const [what, source, width] of [
    ['320 of the small master', small, 320],
    ['800 of the small master', small, 800],
    ['1600 of the master', master, 1600],
    ['1600 of 24 MP', original, 1600],
  ] as const) {
    const seconds: Record<Light, number[]> = { stored: [], linear: [] }
    for (let round = 0; round < rounds; round++) {
      for (const light of ['stored', 'linear'] as const) {
        const before = process.cpuUsage()
        const { quality, encode } = encoders.webp
        await encode(resizers[light](sharp(source), width), quality).toBuffer()
        const { user, system } = process.cpuUsage(before)
        seconds[light].push((user + system) / 1e6)
      }
    }
    const [stored, linear] = [median(seconds.stored), median(seconds.linear)]
    rows.push({ what: `${what} to webp, stored`, value: stored * 1000, unit: 'processor ms' })
    rows.push({ what: `${what} to webp, linear against stored`, value: linear / stored, unit: 'ratio' })
  }
  return rows
}

/** References of a picture that was made smaller. */
const references = {
  /** Areas averaged in linear light: what eyes and lenses make of a picture that is far away. */
  'light averaged': (original, width) => averaged(original, width, (sample) => toLight[sample]!, fromLight),
  /** Areas averaged as stored. */
  'samples averaged': (original, width) => averaged(original, width, (sample) => sample, Math.round),
  /** The original itself: the result is made as large again, as browsers do it. */
  original: (original) => Promise.resolve(original),
} satisfies Record<string, (original: Pixels, width: number) => Promise<Pixels>>
type Reference = keyof typeof references
const referenceNames = Object.keys(references) as Reference[]

/** Mean gain in points of linear light over stored samples, by reference, format and width. */
async function looks(score: (reference: string, picture: string) => Promise<number>): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'resizing-'))
  const gains = new Map<string, number[]>()
  const pictures = await resizedPictures()
  try {
    await inParallel(pictures, async ({ kind, path }) => {
      const files = randomUUID()
      const at = (part: string) => join(folder, `${files}-${part}.png`)
      const original = await pixelsOf(sharp(path))
      for (const width of WIDTHS) {
        for (const reference of referenceNames) {
          const { data, ...size } = await references[reference](original, width)
          await saveMiddle(sharp(data, { raw: { ...size, channels: 3 } }), at(reference))
        }
        const resized = { stored: await lossless('stored', path, width), linear: await lossless('linear', path, width) }
        for (const format of formats) {
          const compared = async (encoded: Buffer): Promise<Record<Reference, number>> => {
            await saveMiddle(sharp(encoded).toColourspace('srgb'), at('small'))
            await saveMiddle(sharp(encoded).resize(original.width, original.height), at('large'))
            const scores = referenceNames.map(async (each) => [each, await score(at(each), at(each === 'original' ? 'large' : 'small'))])
            return Object.fromEntries(await Promise.all(scores))
          }
          const { quality } = encoders[format]
          const plain = await encoded(resized.stored, format, quality)
          const [storedScores, linearScores] = [await compared(plain), await atBytes(resized.linear, format, plain.length, compared)]
          for (const each of referenceNames) {
            const gain = linearScores[each] - storedScores[each]
            for (const key of [`${each}, ${format} ${width}`, `${each}, ${kind}`]) gains.set(key, [...(gains.get(key) ?? []), gain])
          }
        }
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return [...gains].map(([key, each]) => ({
    what: `linear against stored, by ${key}`,
    value: each.reduce((sum, gain) => sum + gain, 0) / each.length,
    unit: 'points',
  }))
}

async function lossless(light: Light, path: string, width: number): Promise<Buffer> {
  return await resizers[light](sharp(path), width).png({ compressionLevel: 1 }).toBuffer()
}

const encoded = (image: Buffer, format: Format, quality: number) => encoders[format].encode(sharp(image), quality).toBuffer()

/** Scores of a picture at so many bytes, between those of the two qualities that are nearest. */
async function atBytes(
  image: Buffer,
  format: Format,
  bytes: number,
  compared: (encoded: Buffer) => Promise<Record<Reference, number>>,
): Promise<Record<Reference, number>> {
  let { quality } = encoders[format]
  let below = await encoded(image, format, quality)
  let above = below
  if (below.length > bytes) {
    while (below.length > bytes && quality > 1) [above, below] = [below, await encoded(image, format, --quality)]
  } else {
    while (above.length < bytes && quality < 100) [below, above] = [above, await encoded(image, format, ++quality)]
  }
  const [lower, higher] = [await compared(below), await compared(above)]
  const share = above.length === below.length ? 0 : (bytes - below.length) / (above.length - below.length)
  return Object.fromEntries(referenceNames.map((each) => [each, lower[each] + (higher[each] - lower[each]) * share])) as Record<
    Reference,
    number
  >
}

interface Pixels {
  data: Buffer
  width: number
  height: number
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  if (info.channels !== 3) throw new Error(`a picture of ${info.channels} channels`)
  return { data, width: info.width, height: info.height }
}

/** Writes what is scored of a picture, as PNG: scores of whole large ones take seconds, and say the same. */
async function saveMiddle(image: Sharp, path: string): Promise<void> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const [width, height] = [Math.min(info.width, SCORED.width), Math.min(info.height, SCORED.height)]
  const piece = { left: Math.floor((info.width - width) / 2), top: Math.floor((info.height - height) / 2), width, height }
  await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .extract(piece)
    .png({ compressionLevel: 1 })
    .toFile(path)
}

const SCORED = { width: 1024, height: 640 }

const toLight = Array.from({ length: 256 }, (_, sample) => (sample <= 10 ? sample / 255 / 12.92 : ((sample / 255 + 0.055) / 1.055) ** 2.4))
const fromLight = (light: number): number => Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))

/** Makes a picture smaller by the mean of each area, parts of pixels included; independent of libvips and its kernels. */
async function averaged(
  { data, width, height }: Pixels,
  toWidth: number,
  decode: (sample: number) => number,
  code: (mean: number) => number,
): Promise<Pixels> {
  const toHeight = Math.round((height * toWidth) / width)
  const decoded = Float64Array.from({ length: 256 }, (_, sample) => decode(sample))
  const [across, down] = [shares(width, toWidth), shares(height, toHeight)]
  const rows = new Float64Array(toWidth * height * 3)
  for (let y = 0; y < height; y++) {
    for (const [x, parts] of across.entries()) {
      for (const [from, share] of parts) {
        for (let channel = 0; channel < 3; channel++)
          rows[(y * toWidth + x) * 3 + channel]! += share * decoded[data[(y * width + from) * 3 + channel]!]!
      }
    }
  }
  const result = Buffer.alloc(toWidth * toHeight * 3)
  for (const [y, parts] of down.entries()) {
    for (let at = 0; at < toWidth * 3; at++) {
      const mean = parts.reduce((sum, [from, share]) => sum + share * rows[from * toWidth * 3 + at]!, 0)
      result[y * toWidth * 3 + at] = code(mean)
    }
  }
  return { data: result, width: toWidth, height: toHeight }
}

/** For each pixel of a shorter line, the pixels of the longer one that it covers, with their shares of it. */
function shares(from: number, to: number): [number, number][][] {
  const scale = from / to
  return Array.from({ length: to }, (_, at) => {
    const [start, end] = [at * scale, Math.min(from, (at + 1) * scale)]
    const parts: [number, number][] = []
    for (let pixel = Math.floor(start); pixel < end; pixel++)
      parts.push([pixel, (Math.min(end, pixel + 1) - Math.max(start, pixel)) / scale])
    return parts
  })
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}
