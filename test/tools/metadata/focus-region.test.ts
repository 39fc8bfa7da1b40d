import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { focusIn } from '../../../shared/tools/metadata/focus-region.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { focused, focusRegion, orientedJpeg } from '../../support/pictures/index.ts'

describe('the focus of a picture in regions of XMP', async () => {
  const { exiftool, directory } = await temporaryExifTool()
  let count = 0
  const read = async (picture: Buffer) => {
    const path = join(directory, `${++count}.jpg`)
    await writeFile(path, picture)
    return focusIn(exiftool, path, await exiftool.readTags(path, 'a.jpg'))
  }
  const plain = () => orientedJpeg(1)
  const readRegions = async (...regions: string[]) => read(focused(await plain(), ...regions))

  test('is the middle of the first region of that type, of three decimals', async () => {
    assert.equal(await read(await plain()), undefined)
    assert.deepEqual(await readRegions(focusRegion({ x: 0.33349, y: 1 })), { x: 0.333, y: 1 })
    // A face says nothing, and a region without a type shifts the flat tags of those behind it.
    const regions = [focusRegion({ x: 0.9, y: 0.9, type: 'Face' }), focusRegion({ x: 0.8, y: 0.8, type: '' })]
    assert.equal(await readRegions(...regions), undefined)
    assert.deepEqual(await readRegions(...regions, focusRegion({ x: 0.1, y: 0.2 }), focusRegion({ x: 0.3, y: 0.4 })), { x: 0.1, y: 0.2 })
  })

  test('is one that the camera used, where regions say so', async () => {
    const unused = ['EvaluatedNotUsed', 'NotEvaluatedNotUsed'].map((usage) => focusRegion({ x: 0.9, y: 0.9, usage }))
    assert.equal(await readRegions(...unused), undefined)
    assert.deepEqual(await readRegions(...unused, focusRegion({ x: 0.5, y: 0.25, usage: 'EvaluatedUsed' })), { x: 0.5, y: 0.25 })
  })

  test('is in the picture, and in fractions of it', async () => {
    const odd = [
      focusRegion({ x: 1.1, y: 0.5 }),
      focusRegion({ x: -0.1, y: 0.5 }),
      focusRegion({ x: 320, y: 200, unit: 'pixel' }),
      focusRegion({ x: 'middle', y: 0.5 }),
      focusRegion({ x: 'NaN', y: 'Infinity' }),
      '<rdf:li mwg-rs:Type="Focus"/>',
      '<rdf:li>Focus</rdf:li>',
    ]
    assert.equal(await readRegions(...odd), undefined)
    assert.deepEqual(await readRegions(...odd, focusRegion({ x: 0, y: 1 })), { x: 0, y: 1 })
  })

  test.each([
    [1, { x: 0.1, y: 0.3 }],
    [2, { x: 0.9, y: 0.3 }],
    [3, { x: 0.9, y: 0.7 }],
    [4, { x: 0.1, y: 0.7 }],
    [5, { x: 0.3, y: 0.1 }],
    [6, { x: 0.7, y: 0.1 }],
    [7, { x: 0.7, y: 0.9 }],
    [8, { x: 0.3, y: 0.9 }],
  ])('is turned with the picture by orientation %i', async (orientation, upright) => {
    assert.deepEqual(await read(focused(await orientedJpeg(orientation), focusRegion({ x: 0.1, y: 0.3 }))), upright)
  })

  test('of hostile XMP is none, and harms nothing', async () => {
    assert.equal(await readRegions(...Array.from({ length: 200 }, (_, n) => focusRegion({ x: 2 + n, y: 0 }))), undefined)
    const nested = '<rdf:Description>'.repeat(200) + '</rdf:Description>'.repeat(200)
    assert.equal(await readRegions(`<rdf:li mwg-rs:Type="Focus"><mwg-rs:Area>${nested}</mwg-rs:Area></rdf:li>`), undefined)
    assert.equal(await readRegions('<rdf:li mwg-rs:Type="Focus" mwg-rs:Area="0.5"/>'), undefined)
  })
})
