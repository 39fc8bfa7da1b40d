import assert from 'node:assert/strict'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { extractMetadata } from '../../../shared/library/media/extraction.ts'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { hostile, images, save, tagged, taggedJpeg } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

const fields = {
  title: 'Øresund bridge',
  copyright: '© Zoë Müller',
  description: 'Seen from the east.\nIn the evening: 海 😀',
  keywords: ['bridge', 'sjö', '海'],
}

let files = 0

/** Writes fields into a file and reads the copy. */
async function written(source: string, wanted: WrittenFields) {
  const target = join(directory, `written-${files++}`)
  await exiftool.writeFields(source, target, wanted)
  return (await exiftool.readTags(target, 'x')).texts
}

async function saved(name: keyof typeof images): Promise<string> {
  return await save(directory, name, images[name]())
}

describe('writeFields', () => {
  it('writes each field where the interface says, and nowhere else', async () => {
    for (const name of ['plain.jpg', 'plain.png', 'plain.tif'] as const) {
      const source = await saved(name)
      const before = (await exiftool.readTags(source, 'x')).texts
      const { XMP, IPTC, EXIF } = await written(source, fields)
      const { XMPToolkit: _, ...xmp } = XMP!
      assert.deepEqual(xmp, { ...before.XMP, Title: fields.title, Subject: fields.keywords }, name)
      const { CodedCharacterSet, EnvelopeRecordVersion: __, ApplicationRecordVersion: ___, ...iptc } = IPTC!
      const { title: ____, copyright, description, keywords } = fields
      assert.deepEqual(iptc, { 'Caption-Abstract': description, CopyrightNotice: copyright, Keywords: keywords })
      assert.equal(CodedCharacterSet, '\x1b%G')
      assert.equal(EXIF?.Copyright, copyright)
      assert.equal(EXIF?.ImageDescription, undefined)
    }
  })

  it('is read back by an import as what was written', async () => {
    for (const name of Object.keys(tagged) as (keyof typeof tagged)[]) {
      const { title, description, keywords, copyright } = extractMetadata(
        await written(await taggedJpeg(exiftool, directory, name), fields),
      )
      assert.deepEqual({ title, description, keywords, copyright }, fields, name)
    }
  })

  it('fails for what it can not write, and leaves no target', async () => {
    const target = join(directory, 'none')
    for (const name of ['empty.jpg', 'header-only.jpg', 'noise.jpg'] as const) {
      const source = await save(directory, name, hostile[name]())
      await assert.rejects(exiftool.writeFields(source, target, fields), ToolFailed)
      await assert.rejects(access(target), { code: 'ENOENT' })
    }
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes('tmp')),
      [],
    )
  })
})
