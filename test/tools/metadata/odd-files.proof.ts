import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { timeLimit } from '../../../shared/tools/processes/time-limit.ts'
import { temporaryExifTool, withPerl } from '../../support/exiftool.ts'
import { furtherPictures, imageData } from '../../support/image-data.ts'
import {
  ambiguousPngs,
  bigTiff,
  brokenJpegs,
  hostile,
  images,
  oddJpegs,
  oddPngs,
  oddTiffs,
  overlappingTiff,
  save,
} from '../../support/pictures/index.ts'

const { directory } = await temporaryExifTool()

/** The description is longer than IPTC allows, so that each kind of segment grows. */
const fields = { title: 'Ø', copyright: '© Zoë', description: 'Über '.repeat(1_000).trim(), keywords: ['sjö', 'é'] }

const written = Object.entries({ ...images, ...oddJpegs, ...oddPngs, ...oddTiffs }).filter(([name]) => /\.(jpg|png|tif)$/.test(name))

for (const [kind, options] of [
  ['perl', withPerl],
  ['wasm', {}],
] as const)
  describe(`writing odd files with ${kind}`, options, () => {
    const exiftool: ExifTool = createExifTool({ kind, time: timeLimit(60_000) })
    afterAll(() => exiftool.close())
    let targets = 0
    const newTarget = () => join(directory, `${kind}-${targets++}`)

    it.each(written)('%s keeps its image', async (name, make) => {
      const source = await make()
      const target = newTarget()
      await exiftool.writeFields(await save(directory, name, source), target, fields)
      const copy = await readFile(target)
      assert.ok(imageData(name, source).length > 0)
      assert.ok(imageData(name, copy).equals(imageData(name, source)))
      assert.ok((await pixels(copy)).equals(await pixels(source)))
      const { texts } = await exiftool.readTags(target, name)
      assert.deepEqual([texts.XMP?.Title, texts.XMP?.Subject], [fields.title, fields.keywords])
    })

    it.each(['two-pictures.jpg', 'two-pictures-metadata-first.jpg', 'gain-map.jpg'] as const)('%s keeps both', async (name) => {
      const source = await oddJpegs[name]()
      const target = newTarget()
      await exiftool.writeFields(await save(directory, name, source), target, fields)
      const copy = await readFile(target)
      const [second] = furtherPictures(source)
      assert.equal(second?.toString('hex', 0, 3), 'ffd8ff')
      assert.deepEqual(furtherPictures(copy), [second])
      assert.ok((await pixels(furtherPictures(copy)[0]!)).length > 0)
    })

    const refused = {
      ...brokenJpegs,
      ...ambiguousPngs,
      'big.tif': bigTiff,
      'overlapping.tif': overlappingTiff,
      'truncated-head.jpg': hostile['header-only.jpg'],
      'noise.jpg': hostile['noise.jpg'],
    }

    it.each(Object.entries(refused))('%s stays unwritten', async (name, make) => {
      const target = newTarget()
      await assert.rejects(exiftool.writeFields(await save(directory, name, make()), target, fields), ToolFailed)
      await assert.rejects(access(target), { code: 'ENOENT' })
    })
  })

it('WebAssembly writes thousands of keywords into one file after the other', async () => {
  const keywords = Array.from({ length: 3_000 }, (_, n) => `keyword ${n}`)
  const wasm = createExifTool({ kind: 'wasm', processes: 1, time: timeLimit(60_000) })
  const source = await save(directory, 'untagged.jpg', images['plain.jpg']())
  for (const n of [1, 2, 3, 4]) await wasm.writeFields(source, join(directory, `many-${n}.jpg`), { keywords })
  await wasm.close()
})

it('a file that takes all memory of ExifTool takes nothing else with it', async () => {
  const exiftool = createExifTool()
  await assert.rejects(exiftool.readTags(await save(directory, 'text-bomb.png', hostile['text-bomb.png']()), 'x'), ToolFailed)
  const picture = await save(directory, 'picture.jpg', images['plain.jpg']())
  assert.equal((await exiftool.readTags(picture, 'x')).printed.File?.FileType, 'JPEG')
  await exiftool.close()
})

/** The decoded pixels of each page. */
async function pixels(file: Buffer): Promise<Buffer> {
  const { pages = 1 } = await sharp(file).metadata()
  const decoded = Array.from({ length: pages }, (_, page) => sharp(file, { page }).raw().toBuffer())
  return Buffer.concat(await Promise.all(decoded))
}
