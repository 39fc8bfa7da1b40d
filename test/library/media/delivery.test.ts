import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { attachment } from '../../../shared/library/media/delivery.ts'

test('a download carries an ASCII name for old clients and the real one', () => {
  assert.equal(attachment('plain.jpg'), `attachment; filename="plain.jpg"; filename*=UTF-8''plain.jpg`)
  assert.equal(attachment('Blåbær (2).jpg'), `attachment; filename="Blab_r (2).jpg"; filename*=UTF-8''Bl%C3%A5b%C3%A6r%20%282%29.jpg`)
})

test('no filename breaks out of the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (filename) => {
      const match = /^attachment; filename="([ !#$&-[\]-~]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(attachment(filename))
      assert.ok(match, attachment(filename))
      assert.equal(decodeURIComponent(match[2]!), filename.toWellFormed())
    }),
  )
})
