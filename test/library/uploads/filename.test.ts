import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { uploadedFilename } from '../../../shared/library/uploads/filename.ts'

test('what follows the last slash or backslash is kept', () => {
  assert.equal(uploadedFilename('C:\\Users\\me\\Blåbær.jpg'), 'Blåbær.jpg')
  assert.equal(uploadedFilename('../../etc/passwd'), 'passwd')
  assert.equal(uploadedFilename('/mixed\\up/name.png'), 'name.png')
  assert.equal(uploadedFilename('e\u0301.jpg'), '\u00e9.jpg', 'NFC')
})

test('a name of nothing is still a name', () => {
  for (const name of ['', '/', '..', 'a/..', '\u0000', ' ']) assert.equal(uploadedFilename(name), 'unnamed', JSON.stringify(name))
})

test('characters that turn text around are taken out, marks that only tell its direction stay', () => {
  assert.equal(uploadedFilename('photo\u202egpj.exe'), 'photogpj.exe')
  for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    assert.equal(uploadedFilename(`a${control}b.jpg`), 'ab.jpg')
  assert.equal(uploadedFilename('\u2067'), 'unnamed')
  assert.equal(uploadedFilename('\u200fתמונה\u200e.jpg'), '\u200fתמונה\u200e.jpg')
})

test('a long name keeps its extension', () => {
  const name = uploadedFilename(`${'long'.repeat(100)}.jpeg`)
  assert.equal(name.length, 255)
  assert.ok(name.endsWith('.jpeg'))
})

test('whatever is sent, the name is short, clean and names no folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (sent) => {
      const name = uploadedFilename(sent)
      assert.ok(name.length >= 1 && name.length <= 255)
      assert.ok(name.isWellFormed() && !/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) && name !== '.' && name !== '..')
    }),
  )
})
