import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { InvalidManifest, type LinkManifest, readManifest, writeManifest } from '../../../shared/library/links/manifest.ts'

const photo: LinkManifest = {
  revision: 3,
  file: 2,
  mime: 'image/jpeg',
  kind: 'image',
  bytes: 1_234_567,
  width: 6000,
  height: 4000,
  extension: 'jpg',
  copyright: '© Grüße 日本',
  master: true,
  digitalSourceType: 'trainedAlgorithmicMedia',
  transparent: true,
  focalPoint: { x: 0.25, y: 1 },
  filename: 'harbour.jpg',
  title: { en: 'Harbour', da: 'Havn' },
  description: { en: '' },
}

describe('a manifest', () => {
  test('is read as it was written, without what it does not know', () => {
    assert.deepEqual(readManifest(writeManifest(photo)), photo)
    assert.deepEqual(readManifest(Buffer.from(JSON.stringify({ ...photo, later: 1 }))), photo)
  })

  test('of an earlier release says nothing of what came later', () => {
    const { digitalSourceType: _, transparent: __, focalPoint: ___, filename: ____, title: _____, description: ______, ...earlier } = photo
    const later = { digitalSourceType: null, transparent: false, focalPoint: null, filename: '', title: {}, description: {} }
    assert.deepEqual(readManifest(Buffer.from(JSON.stringify(earlier))), { ...earlier, ...later })
  })

  test.each(['', 'null', '[]', '3', '{', '{}'])('is refused as %s', (text) => {
    assert.throws(() => readManifest(Buffer.from(text)), InvalidManifest)
  })

  test.each<[string, unknown]>([
    ['revision', 0],
    ['kind', 'vector'],
    ['bytes', -1],
    ['width', 0],
    ['copyright', 7],
    ['master', undefined],
    ['focalPoint', { x: 2, y: 0 }],
    ['title', { en: 1 }],
  ])('is refused with %s %o, which the error names', (name, value) => {
    const text = JSON.stringify({ ...photo, [name]: value })
    assert.throws(() => readManifest(Buffer.from(text)), { name: 'InvalidManifest', message: new RegExp(`valid ${name}$`) })
  })
})
