import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, it } from 'vitest'
import { ToolFailed, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { temporaryExifTool, withPerl } from '../../support/exiftool.ts'
import { dng, hostile, images, save, tagged, taggedJpeg } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

describe('readTags', () => {
  it('says nothing of the machine: of the file system the given name and the size only', async () => {
    const bytes = await images['plain.jpg']()
    const path = await save(directory, 'temporary-name.jpg', bytes)
    const { printed } = await exiftool.readTags(path, 'Sommer.jpg')
    assert.deepEqual(Object.keys(printed), ['ExifTool', 'File', 'Composite'])
    const ofFile = ['FileName', 'FileSize', 'FileType', 'FileTypeExtension', 'MIMEType']
    const ofPicture = ['ImageWidth', 'ImageHeight', 'EncodingProcess', 'BitsPerSample', 'ColorComponents', 'YCbCrSubSampling']
    assert.deepEqual(Object.keys(printed.File!), [...ofFile, ...ofPicture])
    assert.deepEqual([printed.File?.FileName, printed.File?.FileSize], ['Sommer.jpg', bytes.length])
    assert.ok(!JSON.stringify(printed).includes('temporary-name'))
  })

  it('keeps the text of what looks like a number or boolean, and prints it as ExifTool does', async () => {
    const { printed, texts } = await exiftool.readTags(await taggedJpeg(exiftool, directory, 'numbers.jpg'), 'x')
    assert.equal(texts.IPTC?.ObjectName, '2.50')
    assert.equal(printed.IPTC?.ObjectName, 2.5)
    assert.deepEqual(texts.IPTC?.Keywords, ['007', '1e3'])
    assert.deepEqual(printed.IPTC?.Keywords, ['007', 1000])
    assert.equal(texts.IPTC?.['By-line'], 'True')
    assert.equal(printed.IPTC?.['By-line'], true)
    assert.equal(texts.XMP?.Description, '0042.0')
    assert.equal(printed.XMP?.Description, '0042.0')
  })

  it('prints exactly what ExifTool prints without our options', async () => {
    for (const name of Object.keys(tagged) as (keyof typeof tagged)[]) {
      const path = await taggedJpeg(exiftool, directory, name)
      const { printed } = await exiftool.run(['-j', '-g', '-n'], path)
      const [{ SourceFile: _, ...expected }] = JSON.parse(printed.toString())
      for (const tag of Object.keys(expected.File).filter((key) => /^(Directory|FilePermissions|File\w+Date)$/.test(key))) {
        delete expected.File[tag]
      }
      assert.deepEqual((await exiftool.readTags(path, name)).printed, expected)
    }
  })

  it('takes any path for a path', async () => {
    for (const name of ['-ver.jpg', 'a b  c.jpg', '@x.jpg', 'ls |', '#[CSTR]x\\n.jpg', '%d.jpg', '海 é.jpg', ' lead.jpg', '-execute.jpg']) {
      const path = await save(directory, name, images['plain.jpg']())
      assert.equal((await exiftool.readTags(path, name)).printed.File?.FileName, name)
    }
    await assert.rejects(exiftool.readTags(await save(directory, 'two\n-ver', images['plain.jpg']()), 'x'), ToolFailed)
  })

  it('reads nothing from where entities of an SVG point', async () => {
    const secret = await save(directory, 'secret', Buffer.from('nobody may know'))
    const svg = (await hostile['entities.svg']()).toString().replace('file:///etc/hostname', pathToFileURL(secret).href)
    assert.ok(svg.includes('secret'))
    const { printed } = await exiftool.readTags(await save(directory, 'entities.svg', Buffer.from(svg)), 'x.svg')
    assert.ok(!JSON.stringify(printed).includes('nobody may know'))
  })
})

it('is Perl where one runs ExifTool, else WebAssembly, which reads and writes the same', withPerl, async () => {
  const absent = join(directory, 'no-perl')
  await assert.rejects(createExifTool({ kind: 'perl', perl: absent }).engine(), ToolUnavailable)
  const wasm = createExifTool({ perl: absent })
  assert.equal(await wasm.engine(), 'wasm')
  const path = await save(directory, 'either.jpg', images['plain.jpg']())
  for (const [name, engine] of Object.entries({ perl: exiftool, wasm })) await engine.writeFields(path, `${path}.${name}`, { title: 'Ø' })
  assert.ok((await readFile(`${path}.perl`)).equals(await readFile(`${path}.wasm`)))
  assert.deepEqual(await wasm.readTags(`${path}.perl`, 'x'), await exiftool.readTags(`${path}.perl`, 'x'))
  await wasm.close()
})

describe('readBinary', () => {
  it('gives the bytes of an embedded picture', async () => {
    const preview = await images['plain.jpg']()
    const path = await save(directory, 'binary.dng', dng(preview, 1))
    assert.deepEqual(await exiftool.readBinary(path, 'PreviewImage'), preview)
    assert.equal(await exiftool.readBinary(path, 'JpgFromRaw'), undefined)
  })
})
