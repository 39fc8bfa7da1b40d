import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { InvalidManifest, type LinkManifest, readManifest, writeManifest } from '../../../shared/library/publishing/manifest.ts'

const photo: LinkManifest = {
  revision: 3,
  mime: 'image/jpeg',
  kind: 'image',
  bytes: 1_234_567,
  width: 6000,
  height: 4000,
  extension: 'jpg',
  copyright: '© Grüße 日本',
  master: true,
}
const sound: LinkManifest = { ...photo, mime: 'audio/mpeg', kind: 'other', width: null, height: null, copyright: null, master: false }

describe('a manifest', () => {
  test.each([photo, sound, { ...photo, bytes: 0 }])('is read as it was written: %o', (manifest) => {
    assert.deepEqual(readManifest(writeManifest(manifest)), manifest)
  })

  test('keeps nothing that it does not know', () => {
    assert.deepEqual(readManifest(Buffer.from(JSON.stringify({ ...photo, later: 1 }))), photo)
  })

  test.each(['', 'null', '[]', '3', '{', '{}'])('is refused as %s', (text) => {
    assert.throws(() => readManifest(Buffer.from(text)), InvalidManifest)
  })

  test.each<[string, unknown]>([
    ['revision', 0],
    ['revision', 1.5],
    ['revision', '1'],
    ['mime', ''],
    ['kind', 'vector'],
    ['bytes', -1],
    ['width', 0],
    ['height', '4000'],
    ['extension', null],
    ['copyright', 7],
    ['master', 1],
    ['master', undefined],
  ])('is refused with %s %o, which the error names', (name, value) => {
    const text = JSON.stringify({ ...photo, [name]: value })
    assert.throws(() => readManifest(Buffer.from(text)), { name: 'InvalidManifest', message: new RegExp(`valid ${name}$`) })
  })
})
