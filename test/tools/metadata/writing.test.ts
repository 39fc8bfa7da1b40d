import assert from 'node:assert/strict'
import { access, readdir, readFile, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ToolFailed, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { extractMetadata } from '../../../shared/tools/metadata/extraction.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { hostile, images, save, signedPictures, taggedJpeg } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

const fields = {
  title: 'Øresund bridge',
  copyright: '© Zoë Müller',
  description: 'Seen from the east.\nIn the evening: 海 😀',
  keywords: ['bridge', 'sjö', '海'],
}
const EMPTY = { title: '', copyright: '', description: '', keywords: [] }

let files = 0

/** Writes fields into a copy of a file. @returns the copy's path */
async function write(source: string, wanted: WrittenFields): Promise<string> {
  const target = join(directory, `written-${files++}`)
  await exiftool.writeFields(source, target, wanted)
  return target
}

async function textsOf(path: string) {
  return (await exiftool.readTags(path, 'x')).texts
}

async function written(source: string, wanted: WrittenFields) {
  return await textsOf(await write(source, wanted))
}

async function plain(name: keyof typeof images = 'plain.jpg'): Promise<string> {
  return await save(directory, name, images[name]())
}

/** A JPEG with these tags, by ExifTool's options. */
async function withTags(...options: string[]): Promise<string> {
  const path = await save(directory, `tags-${files++}`, images['plain.jpg']())
  const { errors } = await exiftool.run(['-overwrite_original', ...options], path)
  assert.equal(errors, '')
  return path
}

async function extracted(path: string) {
  const { title, description, keywords, copyright } = extractMetadata(await textsOf(path))
  return { title, description, keywords, copyright }
}

describe('writeFields', () => {
  it('writes each field where the interface says, and nowhere else', async () => {
    for (const name of ['plain.jpg', 'plain.png', 'plain.tif'] as const) {
      const source = await plain(name)
      const before = await textsOf(source)
      const after = await written(source, fields)
      assert.deepEqual(after.XMP, { ...before.XMP, XMPToolkit: after.XMP?.XMPToolkit, Title: fields.title, Subject: fields.keywords })
      assert.deepEqual(after.IPTC, {
        CodedCharacterSet: '\x1b%G',
        EnvelopeRecordVersion: '4',
        ApplicationRecordVersion: '4',
        'Caption-Abstract': fields.description,
        CopyrightNotice: fields.copyright,
        Keywords: fields.keywords,
      })
      assert.equal(after.EXIF?.Copyright, fields.copyright)
      assert.equal(after.EXIF?.ImageDescription, undefined)
    }
  })

  it('leaves absent fields as the file has them', async () => {
    const source = await write(await plain(), fields)
    const before = await textsOf(source)
    const after = await written(source, { title: 'Another' })
    assert.deepEqual(after, { ...before, XMP: { ...before.XMP, Title: 'Another' }, File: after.File })
    assert.deepEqual(await extracted(await write(source, { keywords: ['one'] })), { ...fields, keywords: ['one'] })
  })

  it('removes empty fields, and replaces keywords', async () => {
    const source = await write(await plain(), fields)
    const { XMP, IPTC, EXIF } = await written(source, EMPTY)
    assert.deepEqual([XMP?.Title, XMP?.Subject, EXIF?.Copyright], [undefined, undefined, undefined])
    assert.deepEqual(Object.keys(IPTC!), ['CodedCharacterSet', 'EnvelopeRecordVersion'])
    const other = await written(source, { keywords: ['sjö', 'new', 'sjö', ' '] })
    assert.deepEqual(
      [other.IPTC?.Keywords, other.XMP?.Subject],
      [
        ['sjö', 'new'],
        ['sjö', 'new'],
      ],
    )
  })

  it('replaces a description in English, and leaves it in other languages', async () => {
    const tag = 'XMP-dc:Description'
    const source = await withTags(`-${tag}=One`, `-${tag}-en=One`, `-${tag}-en-GB=One`, `-${tag}-de=Eins`, '-XMP-dc:Rights-de=Alle')
    const { XMP = {} } = await written(source, { description: 'Two', copyright: 'Us' })
    const { Description, 'Description-en': en, 'Description-en-GB': british, 'Description-de': german } = XMP
    assert.deepEqual([Description, en, british, german], ['Two', 'Two', 'Two', 'Eins'])
    assert.deepEqual([XMP.Rights, XMP['Rights-de']], ['Us', 'Alle'])
  })

  it('leaves a title in other languages, until there is none any more', async () => {
    const source = await withTags('-XMP-dc:Title=One', '-XMP-dc:Title-da=En', '-XMP-dc:Title-de-AT=Eins')
    const titles = async (title: string) => {
      const { XMP = {} } = await written(source, { title })
      return Object.entries(XMP).filter(([name]) => name.startsWith('Title'))
    }
    assert.deepEqual(Object.fromEntries(await titles('Two')), { Title: 'Two', 'Title-da': 'En', 'Title-de-AT': 'Eins' })
    assert.deepEqual(await titles(''), [])
    assert.deepEqual(Object.fromEntries(await titles('One')), { Title: 'One', 'Title-da': 'En', 'Title-de-AT': 'Eins' })
    const danish = await withTags('-XMP-dc:Title-da=En')
    assert.equal((await written(danish, { title: 'One' })).XMP?.Title, 'One')
    assert.deepEqual((await extracted(await write(danish, { title: '' }))).title, '')
  })

  it('keeps what the file says of the same in step', async () => {
    const source = await withTags('-XMP-dc:Description=Old', '-XMP-dc:Rights=Old', '-IFD0:ImageDescription=Old')
    assert.deepEqual(await extracted(await write(source, fields)), fields)
    const { XMP, EXIF } = await written(source, fields)
    assert.deepEqual([XMP?.Description, XMP?.Rights, EXIF?.ImageDescription], [fields.description, fields.copyright, fields.description])
    const emptied = await written(source, EMPTY)
    assert.deepEqual([emptied.XMP, emptied.EXIF?.ImageDescription], [undefined, undefined])
  })

  it('re-codes all IPTC to UTF-8, whatever it was in', async () => {
    const source = await taggedJpeg(exiftool, directory, 'iptc-latin1.jpg')
    const target = await write(source, { description: 'One' })
    assert.ok((await readFile(target)).includes('Fjällräven café'))
    const { Headline, 'By-line': byline, Keywords, CodedCharacterSet } = (await textsOf(target)).IPTC!
    assert.deepEqual([Headline, byline, CodedCharacterSet], ['Fjällräven café', 'Zoë Müller', '\x1b%G'])
    assert.deepEqual(Keywords, (await textsOf(source)).IPTC?.Keywords)
    const replaced = await written(source, fields)
    assert.deepEqual(replaced.IPTC?.Keywords, fields.keywords)
    assert.equal(replaced.IPTC?.['By-line'], 'Zoë Müller')
  })

  it('writes any text as it is', async () => {
    for (const text of ['-x', '@x', '#x', '<x', '=x', '-execute', '{ready}', '&#65;', '"\'\\n$1%d', 'a \n\n b', 'a\tb', '𝒳', 'e\u0301']) {
      const words = [`${text} 1`, `${text} 2`]
      const { XMP, IPTC, EXIF } = await written(await plain(), { title: text, copyright: text, description: text, keywords: words })
      assert.deepEqual([XMP?.Title, IPTC?.['Caption-Abstract'], IPTC?.CopyrightNotice, EXIF?.Copyright], [text, text, text, text])
      assert.deepEqual([XMP?.Subject, IPTC?.Keywords], [words, words])
    }
  })

  it('writes what XML can hold of a text', async () => {
    const { XMP } = await written(await plain(), { title: ' a\r\nb\rc\0\x1b\x85\ud800\uffff' })
    assert.equal(XMP?.Title, 'a\nb\nc\ufffd')
  })

  it('writes what is too long for IPTC whole into XMP, and cut on a character into IPTC', async () => {
    const wanted = {
      title: 'ø'.repeat(2_000),
      copyright: 'ab海'.repeat(100),
      description: `a${'é'.repeat(5_000)}`,
      keywords: [`${'x'.repeat(62)}海`, `${'x'.repeat(62)}陸`],
    }
    const target = await write(await plain(), wanted)
    assert.deepEqual(await extracted(target), wanted)
    const { XMP, IPTC, EXIF } = await textsOf(target)
    assert.deepEqual([XMP?.Rights, XMP?.Description, XMP?.Subject], [wanted.copyright, wanted.description, wanted.keywords])
    assert.equal(EXIF?.Copyright, wanted.copyright)
    assert.equal(IPTC?.Keywords, 'x'.repeat(62))
    assert.equal(IPTC?.CopyrightNotice, `${'ab海'.repeat(25)}ab`)
    assert.equal(IPTC?.['Caption-Abstract'], `a${'é'.repeat(999)}`)
  })

  it('fails for what it can not write, and leaves no target', async () => {
    const target = join(directory, 'none')
    for (const name of ['empty.jpg', 'header-only.jpg', 'noise.jpg', 'entities.svg'] as const) {
      const source = await save(directory, name, hostile[name]())
      await assert.rejects(exiftool.writeFields(source, target, fields), ToolFailed)
      await assert.rejects(access(target), { code: 'ENOENT' })
    }
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes('tmp')),
      [],
    )
  })

  it('breaks no Content Credentials unless it may', async () => {
    const target = join(directory, 'signed')
    for (const [name, make] of Object.entries(signedPictures)) {
      const source = await save(directory, name, make())
      await assert.rejects(exiftool.writeFields(source, target, fields), ToolFailed)
      await assert.rejects(access(target), { code: 'ENOENT' })
      await exiftool.writeFields(source, `${target}-${name}`, fields, { breaksCredentials: true })
      assert.equal((await textsOf(`${target}-${name}`)).XMP?.Title, fields.title)
    }
  })

  it('does not blame a file for a full disk', async () => {
    const { bavail, bsize } = await statfs(directory)
    const source = await plain('wide.jpg')
    await truncate(source, bavail * bsize + 10 ** 11)
    await assert.rejects(exiftool.writeFields(source, join(directory, 'none'), fields), ToolUnavailable)
  })

  it('leaves a file alone that is there already', async () => {
    const target = await save(directory, 'there', Buffer.from('another file'))
    await assert.rejects(exiftool.writeFields(await plain(), target, fields), ToolFailed)
    assert.equal(await readFile(target, 'utf8'), 'another file')
  })
})
