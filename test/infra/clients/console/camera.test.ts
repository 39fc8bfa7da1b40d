import assert from 'node:assert/strict'
import { test } from 'vitest'
import { cameraFacts, clockOf } from '../../../../infra/clients/console/app/file/camera.ts'

const number = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)
const seconds = (time: string) => Date.parse(time) / 1000

test.each([
  [
    { EXIF: { Make: 'Canon', Model: 'Canon EOS R5', ExposureTime: 0.004, FNumber: 2.8, ISO: 100, FocalLength: 50, LensModel: 'RF50mm' } },
    {
      camera: 'Canon EOS R5',
      lens: 'RF50mm',
      exposure: '1/250 s, f/2.8, 50 mm',
      iso: '100',
    },
  ],
  [
    { EXIF: { Make: 'NIKON CORPORATION', Model: 'NIKON D850', ExposureTime: 1.5 } },
    { camera: 'NIKON D850', lens: '', exposure: '1.5 s', iso: '' },
  ],
  [{ QuickTime: { Make: 'Apple', Model: 'iPhone 15' } }, { camera: 'Apple iPhone 15', lens: '', exposure: '', iso: '' }],
  [
    { EXIF: { Model: ['odd'], ISO: 'auto', FNumber: 0 }, XMP: null },
    { camera: '', lens: '', exposure: '', iso: '' },
  ],
  [{}, { camera: '', lens: '', exposure: '', iso: '' }],
])('facts of a camera from %j', (tags, facts) => assert.deepEqual(cameraFacts(tags, number), facts))

test('a time is what the clock of the camera showed, whatever the zone', () => {
  const written = seconds('2026-05-17T18:30:00Z')
  const tags = { EXIF: { DateTimeOriginal: '2026:05:17 18:30:00' } }
  assert.equal(clockOf(tags, seconds('2026-05-17T18:30:00+02:00')), written)
  assert.equal(clockOf(tags, written), written)
  // What the library takes its time from is written elsewhere.
  assert.equal(clockOf(tags, seconds('2020-01-01T00:00:00Z')), seconds('2020-01-01T00:00:00Z'))
  assert.equal(clockOf({}, written), written)
})
