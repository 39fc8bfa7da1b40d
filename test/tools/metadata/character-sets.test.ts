import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { extractMetadata } from '../../../shared/tools/metadata/extraction.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { dataset, images, inUtf8, jpegWithIptc, save, tiffWithIptc } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

/** Numbers of IPTC-IIM 4.2's datasets. */
const [OBJECT_NAME, KEYWORDS, BYLINE, CITY, PROVINCE, HEADLINE, COPYRIGHT, CAPTION] = [5, 25, 80, 90, 95, 105, 116, 120] as const

const latin1 = (text: string) => Buffer.from(text, 'latin1')

let files = 0

async function iptcOf(file: Buffer | Promise<Buffer>) {
  const { texts } = await exiftool.readTags(await save(directory, `read-${files++}`, file), 'x')
  return texts.IPTC ?? {}
}

async function written(file: Buffer, fields: WrittenFields) {
  const target = join(directory, `written-${files++}`)
  await exiftool.writeFields(await save(directory, `source-${files++}`, file), target, fields)
  const { printed } = await exiftool.run(['-j', '-G1', '-n', '-IPTC:all'], target)
  return JSON.parse(printed.toString())[0]
}

const undeclared = Buffer.concat([
  ...[dataset(OBJECT_NAME, 'Ångström'), dataset(BYLINE, 'Zoë Müller'), dataset(CITY, 'Zürich'), dataset(CAPTION, 'Über 海 😀')],
  ...[dataset(COPYRIGHT, '© Zoë'), dataset(KEYWORDS, 'Käse'), dataset(KEYWORDS, 'plain')],
])

describe('texts of IPTC', () => {
  it('are UTF-8 where they are valid as that, whatever is declared', async () => {
    for (const declaration of [[], [dataset(90, '\x1b%/I', 1)], [dataset(90, '\x1b.A', 1)], [inUtf8]]) {
      const { texts } = await exiftool.readTags(
        await save(directory, 'utf8', jpegWithIptc(Buffer.concat([...declaration, undeclared]))),
        'x',
      )
      const { title, description, byline, copyright, keywords, iptc } = extractMetadata(texts)
      assert.deepEqual([title, description, byline], ['Ångström', 'Über 海 😀', 'Zoë Müller'])
      assert.deepEqual([copyright, keywords], ['© Zoë', ['Käse', 'plain']])
      assert.deepEqual([iptc?.City, iptc?.Keywords], ['Zürich', ['Käse', 'plain']])
    }
  })

  it('are Latin-1 of Windows otherwise, whatever is declared', async () => {
    const latin = Buffer.concat([dataset(CITY, latin1('Malmö')), dataset(HEADLINE, latin1('Caf\xe9')), dataset(BYLINE, latin1('\x80 5'))])
    for (const declaration of [[], [dataset(90, '\x1b%/I', 1)], [inUtf8]]) {
      const { City, Headline, 'By-line': byline } = await iptcOf(jpegWithIptc(Buffer.concat([...declaration, latin])))
      assert.deepEqual([City, Headline, byline], ['Malmö', 'Café', '€ 5'])
    }
  })

  it('are each in a set of their own: programs add to what others wrote', async () => {
    const mixed = Buffer.concat([dataset(CITY, 'Zürich'), dataset(KEYWORDS, 'Käse'), dataset(KEYWORDS, latin1('Käse und Brot'))])
    assert.deepEqual((await iptcOf(jpegWithIptc(mixed))).Keywords, ['Käse', 'Käse und Brot'])
  })

  it('lose the part of a character at which they were cut', async () => {
    const cut = (text: string, bytes: number) => Buffer.from(text).subarray(0, bytes)
    const record = Buffer.concat([
      dataset(CITY, 'Zürich'),
      dataset(CAPTION, cut(`a${'ü'.repeat(1_000)}`, 2_000)),
      dataset(HEADLINE, cut('Øl og 海', 8)),
      // Only its length and the other texts tell that it is no Latin-1.
      dataset(BYLINE, cut(`${'x'.repeat(31)}ø`, 32)),
    ])
    for (const declaration of [[], [inUtf8]]) {
      const {
        'Caption-Abstract': caption,
        Headline,
        'By-line': byline,
      } = await iptcOf(jpegWithIptc(Buffer.concat([...declaration, record])))
      assert.deepEqual([caption, Headline, byline], [`a${'ü'.repeat(999)}`, 'Øl og ', 'x'.repeat(31)])
    }
    const latin = dataset(BYLINE, latin1(`${'x'.repeat(31)}\xc3`))
    assert.equal((await iptcOf(jpegWithIptc(latin)))['By-line'], `${'x'.repeat(31)}Ã`)
  })

  it('say what is broken in a declared set', async () => {
    const broken = Buffer.concat([inUtf8, dataset(CITY, Buffer.concat([Buffer.from('Zürich? '), latin1('ü'), Buffer.from('!')]))])
    assert.equal((await iptcOf(jpegWithIptc(broken))).City, 'Zürich? \ufffd!')
  })

  it('may look like what ExifTool prints of bytes', async () => {
    const { Headline, City } = await iptcOf(
      jpegWithIptc(Buffer.concat([dataset(HEADLINE, 'base64:w7w= ü'), dataset(CITY, 'base64:w7w=?')])),
    )
    assert.deepEqual([Headline, City], ['base64:w7w= ü', 'base64:w7w=?'])
  })

  it('are read so in every place of a TIFF, and of the first of several records', async () => {
    for (const places of [{ own: undeclared }, { photoshop: undeclared }, { own: undeclared, photoshop: undeclared }]) {
      assert.equal((await iptcOf(tiffWithIptc(places))).City, 'Zürich')
    }
    assert.equal((await iptcOf(jpegWithIptc(dataset(CITY, 'Zürich'), dataset(CITY, 'Köln')))).City, 'Zürich')
  })
})

it('texts of EXIF are UTF-8 or Latin-1 of Windows, too', async () => {
  const texts = ['Mal\\xf6?', '\\xc3\\x96l', 'Zo\\xc3\\xab \\xc3']
  const path = await save(directory, 'exif', images['plain.jpg']())
  const tags = ['ImageDescription', 'Artist', 'Copyright'] as const
  // With `-ec` values may be bytes.
  await exiftool.run(['-overwrite_original', '-ec', ...tags.map((tag, at) => `-IFD0:${tag}#=${texts[at]}`)], path)
  const { EXIF } = (await exiftool.readTags(path, 'x')).texts
  assert.deepEqual(
    tags.map((tag) => EXIF?.[tag]),
    ['Malö?', 'Öl', 'Zoë '],
  )
})

describe('a write', () => {
  it('re-codes every text of IPTC, each once', async () => {
    const mixed = Buffer.concat([undeclared, dataset(KEYWORDS, latin1('Öl')), dataset(PROVINCE, latin1('Malmö'))])
    for (const declaration of [[], [dataset(90, '\x1b%/I', 1)], [inUtf8]]) {
      const after = await written(await jpegWithIptc(Buffer.concat([...declaration, mixed])), { title: 'One', copyright: 'Two' })
      assert.equal(after['IPTC:CodedCharacterSet'], '\x1b%G')
      assert.deepEqual([after['IPTC:City'], after['IPTC:Province-State'], after['IPTC:By-line']], ['Zürich', 'Malmö', 'Zoë Müller'])
      assert.deepEqual([after['IPTC:Keywords'], after['IPTC:CopyrightNotice']], [['Käse', 'plain', 'Öl'], 'Two'])
    }
  })

  it('changes all records that say the same, in JPEG and TIFF', async () => {
    for (const iptc of [undeclared, Buffer.concat([dataset(CITY, latin1('Zürich')), dataset(KEYWORDS, 'old')])]) {
      for (const file of [
        await jpegWithIptc(iptc, iptc),
        tiffWithIptc({ own: iptc, photoshop: iptc }),
        tiffWithIptc({ photoshop: iptc }),
      ]) {
        const after = await written(file, { title: 'One', keywords: ['Käse', 'neu'], description: '' })
        for (const group of ['IPTC', 'IPTC2']) {
          assert.deepEqual([after[`${group}:City`], after[`${group}:Keywords`]], ['Zürich', ['Käse', 'neu']])
          assert.equal(after[`${group}:Caption-Abstract`], undefined)
        }
      }
    }
  })

  it('keeps what other programs write as keywords: empty ones, control characters, what looks like HTML', async () => {
    const words = ['', 'Käse', ' ', 'x\x01', '&#65; <b> "x"\n', '\ufeffü', '']
    const after = await written(await jpegWithIptc(Buffer.concat(words.map((word) => dataset(KEYWORDS, word)))), { title: 'One' })
    assert.deepEqual(after['IPTC:Keywords'], words)
  })

  it('fails rather than replace what another record says', async () => {
    await assert.rejects(written(await jpegWithIptc(dataset(CITY, 'Zürich'), dataset(CITY, 'Köln')), { title: 'One' }), /IPTC2:City/)
  })
})
