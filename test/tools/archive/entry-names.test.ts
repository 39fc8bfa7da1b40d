import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { validateFileName } from 'yauzl'
import { EntryNames } from '../../../shared/tools/archive/entry-names.ts'

const named = (wanted: string, kind: 'file' | 'folder' = 'file') => new EntryNames().unique(wanted, kind)

/** What Windows doesn't take. @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICES = ['CON', 'PRN', 'AUX', 'NUL', ...[...'123456789¹²³'].flatMap((digit) => [`COM${digit}`, `LPT${digit}`])]

describe('names in archives', () => {
  test.each([
    ['Boat.jpg', 'Boat.jpg'],
    ['Zu\u0308rich.jpg', 'Zürich.jpg'],
    ['.htaccess', '.htaccess'],
    [' Boat.jpg', ' Boat.jpg'],
    ['a<b>c:d"e/f\\g|h?i*j', 'a_b_c_d_e_f_g_h_i_j'],
    ['line\nbreak\tand\u0000\u007f\u0085', 'line_break_and___'],
    ['photo\u202egpj.exe', 'photo_gpj.exe'],
    ['\u200fصورة.png', '\u200fصورة.png'],
    ['half \ud83d of a pair', 'half \ufffd of a pair'],
    ['..', '_'],
    ['.', '_'],
    ['../../etc/passwd', '____etc_passwd'],
    ['wait...what.jpg', 'wait...what.jpg'],
    ['C:\\Windows', 'C__Windows'],
    ['Report.', 'Report_'],
    ['', '_'],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['com1 .txt', '_com1 .txt'],
    ['LPT¹', '_LPT¹'],
    ['console.txt', 'console.txt'],
  ])('%j becomes %j', (wanted, name) => {
    assert.deepEqual([named(wanted), named(wanted, 'folder')], [name, name])
  })

  test('have at most 255 bytes; files keep their extension', () => {
    assert.equal(named(`${'ä'.repeat(200)}.jpeg`), `${'ä'.repeat(125)}.jpeg`)
    assert.equal(named('ä'.repeat(200), 'folder'), 'ä'.repeat(127))
    assert.equal(named(`${'x'.repeat(254)}..jpg`, 'folder'), `${'x'.repeat(254)}_`)
    assert.equal(named(`${'x'.repeat(300)}. and a sentence that is no extension`), 'x'.repeat(255))
  })

  test('of the same folder are numbered before their extension, whatever their case or composition', () => {
    const names = new EntryNames()
    const named = (...wanted: string[]) => wanted.map((name) => names.unique(name, 'file'))
    assert.deepEqual(named('Boat.jpg', 'boat.JPG', 'Boat.jpg'), ['Boat.jpg', 'boat (2).JPG', 'Boat (3).jpg'])
    assert.deepEqual(named('Boat (2).jpg', 'a?b', 'a*b'), ['Boat (2) (2).jpg', 'a_b', 'a_b (2)'])
    assert.deepEqual(named('Zürich', 'ZU\u0308RICH'), ['Zürich', 'ZÜRICH (2)'])
    assert.deepEqual(named('Straße', 'STRASSE', 'STRAẞE'), ['Straße', 'STRASSE (2)', 'STRAẞE (3)'])
  })

  test('of files and folders are one set; of folders the number comes last', () => {
    const names = new EntryNames()
    assert.deepEqual([names.unique('v1.0', 'folder'), names.unique('V1.0', 'file')], ['v1.0', 'V1.0 (2)'])
    assert.equal(names.unique('v1.0', 'folder'), 'v1.0 (3)')
  })

  test('can be unpacked everywhere, whatever was wanted', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '/', '\\', ':', ' ', '.', '\u0000', '\u202e', '\ud800', 'e\u0301', 'É', 'ß', 'İ', ' (2)', '.jpg', ...DEVICES),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constant('名'.repeat(90)),
    )
    const wanted = fc.record({
      name: fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
      kind: fc.constantFrom('file', 'folder'),
    })
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 20 }), (all) => {
        const names = new EntryNames()
        const found = all.map(({ name, kind }) => names.unique(name, kind))
        assert.equal(new Set(found.map((name) => name.normalize('NFD').toLowerCase())).size, all.length)
        for (const name of found) {
          assert.ok(name !== '' && Buffer.byteLength(name) <= 255 && name.isWellFormed() && name.normalize() === name, name)
          assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\u2028-\u202e\u2066-\u2069]|[. ]$/u)
          assert.ok(!DEVICES.includes(name.split('.')[0]!.trimEnd().toUpperCase()), name)
          assert.equal(validateFileName(name), null)
        }
      }),
      { numRuns: 200 },
    )
  })
})
