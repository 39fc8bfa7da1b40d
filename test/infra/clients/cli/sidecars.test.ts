import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, describe, test } from 'vitest'
import { Media } from '../../../../functions/media/schema.ts'
import { Sidecars, sidecarChange } from '../../../../infra/clients/cli/sidecars.ts'
import { DOCUMENT_FIELDS, METADATA_FIELDS } from '../../../../shared/tools/sidecars/json.ts'
import { readXmp, writeXmp } from '../../../../shared/tools/sidecars/xmp.ts'
import { withPerl } from '../../../support/exiftool.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const run = promisify(execFile)
const exifTool = fileURLToPath(import.meta.resolve('exiftool-vendored.pl/bin/exiftool'))

describe('sidecars', async () => {
  const folder = temporaryDirectory(afterAll)

  test('come back as they were written, whatever texts hold', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => `a${value.replace(/\p{C}/gu, '')}z`)
    const byLanguage = fc.dictionary(fc.constantFrom('en', 'da', 'de'), text, { noNullPrototype: true })
    const metadata = fc.record(
      { title: byLanguage, description: byLanguage, byline: text, copyright: text, keywords: fc.array(text) },
      { noNullPrototype: true },
    )
    fc.assert(fc.property(metadata, (given) => assert.deepEqual(readXmp(writeXmp(given)), given)))
  })

  test('are what ExifTool reads and writes', withPerl, async () => {
    const written = join(folder, 'written.xmp')
    const metadata = {
      title: { en: 'Dawn & "dusk"', da: 'Daggry' },
      description: { en: 'A <harbour>' },
      byline: 'Anna',
      copyright: '© Acme',
    }
    await writeFile(written, writeXmp({ ...metadata, keywords: ['sea', 'Ærø'] }))
    const { stdout } = await run('perl', [exifTool, '-j', '-G0:1', '-struct', '-XMP-dc:all', written])
    const [{ SourceFile: _, ...read }] = JSON.parse(stdout)
    assert.deepEqual(read, {
      'XMP:XMP-dc:Title': 'Dawn & "dusk"',
      'XMP:XMP-dc:Title-en': 'Dawn & "dusk"',
      'XMP:XMP-dc:Title-da': 'Daggry',
      'XMP:XMP-dc:Description': 'A <harbour>',
      'XMP:XMP-dc:Description-en': 'A <harbour>',
      'XMP:XMP-dc:Creator': ['Anna'],
      'XMP:XMP-dc:Rights': '© Acme',
      'XMP:XMP-dc:Rights-en': '© Acme',
      'XMP:XMP-dc:Subject': ['sea', 'Ærø'],
    })
    const photo = join(folder, 'photo.nef')
    await writeFile(photo, 'a photo')
    const tags = ['-XMP-dc:Title=Noon', '-XMP-dc:Title-da=Middag', '-XMP-dc:Creator=Anna', '-XMP-dc:Creator=Bert', '-XMP-dc:Subject=sea']
    await run('perl', [exifTool, '-o', join(folder, 'photo.xmp'), ...tags, '-XMP-dc:Rights=Acme', '-XMP-xmp:Rating=3'])
    assert.deepEqual(await sidecarChange(photo), {
      title: { en: 'Noon', da: 'Middag' },
      keywords: { en: { replace: ['sea'] } },
      byline: 'Anna, Bert',
      copyright: 'Acme',
    })
  })

  test('are files beside others alone', async () => {
    const sidecars = new Sidecars()
    const beside = ['a.jpg', 'a.jpg.json', 'b.jpg', 'b.xmp', 'c.jpg', 'c.jpg.xmp', 'D.JPG', 'D.JPG.JSON']
    const alone = ['alone.xmp', 'alone.json', 'alone.txt.json']
    for (const name of [...beside, ...alone]) await writeFile(join(folder, name), '{}')
    const found = async (names: string[]) => {
      const has = await Promise.all(names.map((name) => sidecars.has(join(folder, name))))
      return names.filter((_, index) => has[index])
    }
    assert.deepEqual(await found(beside), ['a.jpg.json', 'b.xmp', 'c.jpg.xmp', 'D.JPG.JSON'])
    assert.deepEqual(await sidecarChange(join(folder, 'D.JPG')), {})
    assert.deepEqual(await found(alone), [])
  })

  test.each([
    [{ title: 'Dawn', description: 'A harbour', keywords: 'sea; Ærø', byline: 'Anna', focal_point: null }, ['sea', 'Ærø']],
    [{ title: 'Dawn', description: { en: 'A harbour' }, keywords: ['sea; or', 'b'], byline: 'Anna', copyright: null }, ['sea; or', 'b']],
    [{ metadata: { title: { en: 'Dawn' }, description: 'A harbour', keywords: { en: ['x'] } }, byline: 'Anna', id: 5 }, ['x']],
  ])('of JSON are documents or flat', async (json, replace) => {
    await writeFile(join(folder, 'flat.jpg.json'), JSON.stringify(json))
    const change = { title: { en: 'Dawn' }, description: { en: 'A harbour' }, byline: 'Anna', keywords: { en: { replace } } }
    assert.deepEqual(await sidecarChange(join(folder, 'flat.jpg')), change)
  })

  test.each([[{ x: 0.5, y: 0.25 }], ['0.5, 0.25']])('of JSON tell the focal point', async (focal_point) => {
    await writeFile(join(folder, 'flat.jpg.json'), JSON.stringify({ focal_point }))
    assert.deepEqual(await sidecarChange(join(folder, 'flat.jpg')), { focal_point: { x: 0.5, y: 0.25 } })
  })

  test.each([
    [{ titel: 'Dawn' }, /flat\.jpg\.json: titel: no field/],
    [{ metadata: { titles: {} } }, /metadata\.titles: no field/],
    [{ title: 5 }, /title must be a text/],
    [{ keywords: ['a', 5] }, /keywords must be/],
    [{ byline: ['Anna'] }, /byline must be a text/],
    [{ focal_point: 'middle' }, /focal_point must hold x and y/],
    [{ title: 'Dawn', metadata: { title: { en: 'Dusk' } } }, /title is there twice/],
    [['Dawn'], /it must be an object/],
    [{ metadata: 'Dawn' }, /metadata must be an object/],
  ])('of JSON that say what is in neither form are refused: %j', async (json, problem) => {
    await writeFile(join(folder, 'flat.jpg.json'), JSON.stringify(json))
    await assert.rejects(sidecarChange(join(folder, 'flat.jpg')), problem)
  })

  test('know all fields of a document', () => {
    assert.deepEqual(DOCUMENT_FIELDS.toSorted(), [...Object.keys(Media.shape), 'library'].sort())
    assert.deepEqual(METADATA_FIELDS.toSorted(), Object.keys(Media.shape.metadata.shape).sort())
  })

  test('that can not be read are told by name', async () => {
    await writeFile(join(folder, 'd.jpg'), 'd')
    for (const xmp of ['no XML', '<x:xmpmeta>', '']) {
      await writeFile(join(folder, 'd.xmp'), xmp)
      await assert.rejects(sidecarChange(join(folder, 'd.jpg')), /d\.xmp: /)
    }
    await writeFile(join(folder, 'd.xmp'), '<other/>')
    assert.deepEqual(await sidecarChange(join(folder, 'd.jpg')), {})
    assert.equal(await sidecarChange(join(folder, 'e.jpg')), undefined)
  })
})
