import assert from 'node:assert/strict'
import { access, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { ToolBusy, ToolFailed } from '../../shared/tools/failure.ts'
import { makeDecodable } from '../../shared/tools/imaging/formats.ts'
import { maxDecodedBytes } from '../../shared/tools/imaging/limits.ts'
import { drawProfileImages } from '../../shared/tools/imaging/profile-image.ts'
import { createRenderer } from '../../shared/tools/imaging/render.ts'
import { dimensionsFromTags } from '../../shared/tools/metadata/dimensions.ts'
import { extractMetadata } from '../../shared/tools/metadata/extraction.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { mutate } from '../support/damaged-file.ts'
import { temporaryExifTool } from '../support/exiftool.ts'
import { imageData } from '../support/image-data.ts'
import { bmp, dng, dngWithTinyPicture, heic, hostile, images, matroska, mp4, psds, quadrantImage, save } from '../support/pictures/index.ts'

/** Sound files for every converter and decoder, by their names. They are small, so that damage often hits a part that matters. */
const { 'tall.png': _, 'wide.jpg': __, ...small } = images
const makers: { [name: string]: () => Buffer | Promise<Buffer> } = {
  ...small,
  ...psds,
  'palette.bmp': () => bmp(8),
  '16.bmp': () => bmp(16),
  '24.bmp': () => bmp(24),
  'top-down.bmp': () => bmp(32, { topDown: true }),
  'photo.heic': heic,
  'preview.dng': async () => dng(await images['plain.jpg'](), 6),
  'tiny-preview.dng': dngWithTinyPicture,
  'raw.tif': () => quadrantImage().tiff({ compression: 'none' }).toBuffer(),
  'tiled.tif': () => quadrantImage().tiff({ compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer(),
  'jpeg.tif': () => quadrantImage().tiff({ compression: 'jpeg' }).toBuffer(),
  'packed.tif': () => quadrantImage().tiff({ compression: 'packbits', bigtiff: true }).toBuffer(),
  'film.mp4': () => mp4(['vide', 'soun']),
  'film.mkv': () => matroska([1, 2]),
  'drawing.svg': hostile['entities.svg'],
  'text.pdf': hostile['pdf-and-jpeg.pdf'],
}

interface Sample {
  name: string
  bytes: Buffer
  /** The decoder of the undamaged file, which also gets the damaged one. None for a file that is no picture. */
  mime: string | undefined
}

/** Files that are tried; `FUZZ_FILES=10000` tries more. The seeds are 1 to this number. */
const FILES = Number(process.env.FUZZ_FILES ?? 1_500)
/** Files worked on at the same time. */
const PARALLEL = 3
/** Every so manieth file of a format is given to ExifTool, to the maker of profile images, and to the writer of metadata, too. */
const [TAGGED, PROFILED, WRITTEN] = [4, 5, 3]

const fields = { title: 'Ø', copyright: '© Zoë', description: 'Über', keywords: ['sjö', 'é'] }
/** Memory of the process at its most, in KiB as the system counts it. */
const MOST_MEMORY_KIB = 2 * 1024 ** 2

const { exiftool, directory } = await temporaryExifTool()

describe('damaged files', () => {
  let samples: Sample[]
  beforeAll(async () => {
    samples = []
    for (const [name, make] of Object.entries(makers)) {
      const bytes = await make()
      const { kind, mime } = await sniff(await save(directory, name, bytes))
      samples.push({ name, bytes, mime: kind === 'image' ? mime : undefined })
    }
  })

  test(`${FILES} of them give a picture or a tool's failure each, in bounded time and memory`, async ({ annotate }) => {
    const seeds = Array.from({ length: FILES }, (_, index) => index + 1).values()
    const outcomes = { pictures: 0, failures: 0 }
    const lanes = Array.from({ length: PARALLEL }, async () => {
      for (const seed of seeds) outcomes[await tryOne(seed)]++
    })
    await Promise.all(lanes)
    await annotate(`${outcomes.pictures} pictures, ${outcomes.failures} failures`)
    assert.ok(outcomes.pictures > 0 && outcomes.failures > 0)
    assert.ok(process.resourceUsage().maxRSS < MOST_MEMORY_KIB)
  })

  async function tryOne(seed: number): Promise<'pictures' | 'failures'> {
    const round = Math.floor(seed / samples.length)
    const { name, mime, bytes } = samples[seed % samples.length]!
    const damaged = mutate(bytes, seed)
    const into = join(directory, `${seed}.decoded`)
    const path = await save(directory, `${seed}`, damaged)
    try {
      await sniff(path)
      if (round % TAGGED === 0) await orToolFailed(() => readMetadata(path))
      if (round % PROFILED === 0) await orToolFailed(() => drawProfileImages(damaged, 100_000))
      if (round % WRITTEN === 0 && /\.(jpg|png|tif)$/.test(name)) await write(name, path)
      if (!mime) return 'failures'
      return (await orToolFailed(() => decode(path, mime, into, damaged.length))) ? 'pictures' : 'failures'
    } catch (error) {
      throw new Error(`seed ${seed}, ${name}`, { cause: error })
    } finally {
      await Promise.all([path, into].map((file) => rm(file, { force: true })))
    }
  }

  async function readMetadata(path: string): Promise<void> {
    const tags = await exiftool.readTags(path, 'file')
    dimensionsFromTags(tags)
    extractMetadata(tags.texts)
  }

  /** The fields are written beside the same image, or not at all. */
  async function write(name: string, path: string): Promise<void> {
    const target = `${path}.written`
    if (await orToolFailed(() => exiftool.writeFields(path, target, fields))) {
      assert.ok(imageData(name, await readFile(target)).equals(imageData(name, await readFile(path))))
      await rm(target)
    } else await assert.rejects(access(target), { code: 'ENOENT' })
  }

  async function decode(path: string, mime: string, into: string, fileBytes: number): Promise<void> {
    const decodable = await makeDecodable(path, mime, into, exiftool)
    const written = decodable === into ? (await stat(into)).size : 0
    const most = /heic|bmp/.test(mime) ? maxDecodedBytes : MOST_GROWTH * fileBytes
    assert.ok(written <= most + HEADER_BYTES, `${written} bytes were written for a file of ${fileBytes}`)
    const { renditions } = await createRenderer(exiftool)(decodable, decodable === into ? 'image/tiff' : mime, directory)
    await Promise.all(renditions.map((rendition) => rm(rendition.path, { force: true })))
  }
})

/** A tenth of a picture's bytes is enough, and one byte stands for 64 in PackBits. */
const MOST_GROWTH = 10 * 64
const HEADER_BYTES = 1024 ** 2

/** Whether a tool succeeded; false when it failed as tools may, or others had the processor for too long. */
async function orToolFailed(tool: () => Promise<unknown>): Promise<boolean> {
  try {
    await tool()
    return true
  } catch (error) {
    if (error instanceof ToolFailed || error instanceof ToolBusy) return false
    throw error
  }
}
