import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { furtherPictures } from '../../support/image-data.ts'
import { brokenJpegs, oddJpegs, save } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()
let files = 0

const fields = { title: 'Ø & <1>', copyright: '© Zoë', description: 'Seen\nfrom the east 😀', keywords: ['sjö', 'Anna'] }

async function written(name: string, source: Buffer, wanted: WrittenFields) {
  const target = join(directory, `written-${files++}`)
  await exiftool.writeFields(await save(directory, name, source), target, wanted)
  return { copy: await readFile(target), texts: (await exiftool.readTags(target, 'x')).texts }
}

/** A JPEG's packet of XMP, and the bytes around its segment. */
function parted(jpeg: Buffer) {
  const begin = jpeg.indexOf('http://ns.adobe.com/xap/1.0/\0')
  const end = begin - 2 + jpeg.readUInt16BE(begin - 2)
  return { packet: jpeg.toString('utf8', begin + 29, end), around: Buffer.concat([jpeg.subarray(0, begin - 4), jpeg.subarray(end)]) }
}

/** A container's packet with this in the description of its film. */
async function withProperties(attributes: string, elements: string): Promise<Buffer> {
  const source = await oddJpegs['motion.jpg']()
  const { packet } = parted(source)
  const changed = packet
    .replace(' GCamera:MotionPhoto="1"', `${attributes} GCamera:MotionPhoto="1"`)
    .replace('<Container:Directory>', `${elements}<Container:Directory>`)
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\0http://ns.adobe.com/xap/1.0/\0', 'latin1'), Buffer.from(changed)])
  segment.writeUInt16BE(segment.length - 2, 2)
  const begin = source.indexOf('http://ns.adobe.com/xap/1.0/\0')
  return Buffer.concat([source.subarray(0, begin - 4), segment, source.subarray(begin + 29 + Buffer.byteLength(packet))])
}

const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
const films = Object.entries(oddJpegs).filter(([name]) => /motion|micro/.test(name))

describe('motion photos, and pictures with a gain map', () => {
  it.each([...films, ['gain-map.jpg', oddJpegs['gain-map.jpg']] as const])('%s carries its metadata', async (name, make) => {
    const { texts } = await written(name, await make(), fields)
    assert.deepEqual([texts.XMP?.Title, texts.XMP?.Subject], [fields.title, fields.keywords])
    assert.deepEqual([texts.IPTC?.['Caption-Abstract'], texts.IPTC?.Keywords], [fields.description, fields.keywords])
    assert.deepEqual([texts.EXIF?.Copyright, texts.IPTC?.CopyrightNotice], [fields.copyright, fields.copyright])
  })

  // Phones look for the text of the packet, and count from the end of the file (Google's "Motion Photo format 1.0", and Micro Video before it).
  it.each(films.filter(([name]) => !name.startsWith('old')))('%s keeps all other bytes', async (name, make) => {
    const source = await make()
    const { copy, texts } = await written(name, source, { title: fields.title })
    const [before, after] = [parted(source), parted(copy)]
    const added = `<dc:title ${DC}><rdf:Alt><rdf:li xml:lang="x-default">Ø &amp; &lt;1&gt;</rdf:li></rdf:Alt></dc:title>`
    assert.ok(after.around.equals(before.around))
    const bare = (packet: string) =>
      packet
        .replace(added, '')
        .replace('></rdf:Description>', '/>')
        .replace(/\s+(?=<\?xpacket end)/, '')
    assert.ok(after.packet.includes(added))
    assert.equal(bare(after.packet), bare(before.packet))
    assert.equal(texts.XMP?.Title, fields.title)
  })

  it('a packet grows into its padding', async () => {
    const source = await oddJpegs['padded-motion.jpg']()
    const { copy } = await written('padded.jpg', source, { title: fields.title })
    assert.equal(copy.length, source.length)
    assert.ok(parted(copy).packet.endsWith('\n<?xpacket end="w"?>'))
    const long = await written('padded.jpg', source, { title: 'x'.repeat(5_000) })
    assert.match(parted(long.copy).packet, />\s<\?xpacket end="w"\?>$/)
  })

  it('a list of pictures finds the gain map', async () => {
    const source = await oddJpegs['gain-map.jpg']()
    const { copy } = await written('gain-map.jpg', source, fields)
    assert.deepEqual(furtherPictures(copy), furtherPictures(source))
  })

  it('what the packet said before is replaced, in whatever form, and other languages stay', async () => {
    const danish = `<rdf:li xml:lang="da-DK">En &#228;</rdf:li>`
    const alternatives = `<rdf:li xml:lang='en'>One</rdf:li><rdf:li xml:lang="x-default">One</rdf:li>${danish}`
    const source = await withProperties(
      ` xmlns:d="http://purl.org/dc/elements/1.1/" d:description='> old' xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"`,
      `<d:title><rdf:Alt>${alternatives}</rdf:Alt></d:title><d:subject>old</d:subject><photoshop:Headline>One</photoshop:Headline>`,
    )
    const { copy, texts } = await written('described.jpg', source, fields)
    const { packet } = parted(copy)
    assert.ok(packet.includes(danish))
    assert.ok(!/old|One/.test(packet))
    assert.deepEqual([texts.XMP?.Title, texts.XMP?.['Title-en'], texts.XMP?.Headline], [fields.title, fields.title, fields.title])
    assert.deepEqual(
      [texts.XMP?.Description, texts.XMP?.Rights, texts.XMP?.Subject],
      [fields.description, fields.copyright, fields.keywords],
    )
    const emptied = await written('described.jpg', source, { title: '', copyright: '', description: '', keywords: [] })
    assert.ok(!/d:|dc:|photoshop:H/.test(parted(emptied.copy).packet))
    assert.ok(emptied.copy.subarray(-1_000).equals(source.subarray(-1_000)))
  })

  it('fields of other programs follow', async () => {
    const paths = ['People|Anna', 'People|Bob'].map((path) => `<rdf:li>${path}</rdf:li>`)
    const source = await withProperties(
      ` ${DC} xmlns:lr="http://ns.adobe.com/lightroom/1.0/"`,
      `<dc:subject><rdf:Bag><rdf:li>Anna</rdf:li><rdf:li>Bob</rdf:li></rdf:Bag></dc:subject><lr:hierarchicalSubject><rdf:Bag>${paths.join('')}</rdf:Bag></lr:hierarchicalSubject>`,
    )
    const { copy, texts } = await written('paths.jpg', source, { keywords: ['Bob'] })
    assert.equal(texts.XMP?.HierarchicalSubject, 'People|Bob')
    assert.ok(!parted(copy).packet.includes('Anna'))
  })

  it.each(['sized-motion.jpg', 'broken-motion.jpg'] as const)('%s stays unwritten', async (name) => {
    const source = await save(directory, name, await brokenJpegs[name]())
    await assert.rejects(exiftool.writeFields(source, join(directory, 'none'), fields), ToolFailed)
    await assert.rejects(access(join(directory, 'none')), { code: 'ENOENT' })
  })

  it('one whose packet has no room for the fields stays unwritten', async () => {
    const source = await save(directory, 'full.jpg', await withProperties(` xmlns:a="b" a:c="${'x'.repeat(60_000)}"`, ''))
    await assert.rejects(exiftool.writeFields(source, join(directory, 'none'), { description: 'y'.repeat(9_000) }), ToolFailed)
  })
})
