import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { pngChunks } from '../../support/image-data.ts'
import { oddPngs, save } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()
const fields = { title: 'Ø', copyright: '© Zoë', description: 'Über', keywords: ['sjö', 'é'] }

let files = 0

/** The chunks of a copy that carries the fields. */
async function written(name: keyof typeof oddPngs) {
  const target = join(directory, `written-${files++}`)
  await exiftool.writeFields(await save(directory, name, await oddPngs[name]()), target, fields)
  const chunks = pngChunks(await readFile(target))
  // Readers that stop at the image see all.
  assert.deepEqual(texts(chunks.slice(chunks.findIndex(({ type }) => type === 'IDAT'))), [])
  return chunks
}

const texts = (chunks: ReturnType<typeof pngChunks>) => chunks.filter(({ type }) => /^(tEXt|zTXt|iTXt|eXIf)$/.test(type))
const labels = (chunks: ReturnType<typeof pngChunks>) =>
  texts(chunks).map(({ type, data }) => (type === 'eXIf' ? 'eXIf' : data.toString('latin1', 0, data.indexOf(0))))
const sorted = (names: readonly string[]) => names.toSorted()
/** What carries the fields in any PNG. */
const carriers = ['Raw profile type iptc', 'XML:com.adobe.xmp', 'eXIf']

describe('a PNG with metadata behind its image', () => {
  it('has each text once, in order', async () => {
    const chunks = await written('dates-behind.png')
    const dates = ['date:create', 'date:modify', 'date:timestamp']
    assert.deepEqual(sorted(labels(chunks)), sorted(['Software', ...dates, ...carriers]))
    assert.deepEqual(
      labels(chunks).filter((name) => !carriers.includes(name)),
      ['Software', ...dates],
    )
  })

  it('has one packet of XMP, with the new title', async () => {
    const chunks = await written('xmp-behind.png')
    assert.deepEqual(sorted(labels(chunks)), sorted(carriers))
    assert.ok(!chunks.some(({ data }) => data.includes('Behind')))
  })

  it('has one EXIF, with what was in it', async () => {
    const chunks = await written('exif-behind.png')
    assert.deepEqual(sorted(labels(chunks)), sorted(carriers))
    assert.ok(chunks.find(({ type }) => type === 'eXIf')?.data.includes('Behind the image'))
  })

  it('keeps its frames where they are', async () => {
    const source = pngChunks(await oddPngs['animated-texts-behind.png']())
    const chunks = await written('animated-texts-behind.png')
    const image = (all: typeof chunks) => all.filter((each) => !texts([each]).length).map(({ type }) => type)
    assert.deepEqual(image(chunks), image(source))
    assert.deepEqual(
      texts(chunks).flatMap(({ type, data }) => (type === 'tEXt' ? [data.toString('latin1')] : [])),
      ['Comment\0behind all frames', 'Comment\0the last'],
    )
    assert.deepEqual(sorted(labels(chunks)), sorted(['Comment', 'Comment', ...carriers]))
  })
})
