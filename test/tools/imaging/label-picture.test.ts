import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { labelPicture } from '../../../shared/tools/imaging/label-picture.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { quadrantImage, save } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()

const NONE = { copyright: null, digitalSourceType: null }
const GENERATED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

const pictures = {
  jpeg: quadrantImage().jpeg().toBuffer(),
  // As posters of films begin.
  jfif: quadrantImage()
    .jpeg()
    .toBuffer()
    .then((jpeg) => Buffer.concat([jpeg.subarray(0, 2), Buffer.from('ffe000104a46494600010100000100010000', 'hex'), jpeg.subarray(2)])),
  png: sharp({ create: { width: 40, height: 30, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer(),
}

/** What ExifTool reads of a picture. */
async function said(picture: Buffer): Promise<{ [group: string]: { [tag: string]: unknown } }> {
  const { printed } = await exiftool.readTags(await save(directory, 'picture', picture), 'picture')
  const { EXIF = {}, XMP = {}, ExifTool = {} } = printed
  return { EXIF, XMP, ExifTool }
}

describe('the labels of a stored picture', () => {
  for (const [name, made] of Object.entries(pictures)) {
    for (const copyright of ['© Zoë 日本 & <b>', '"Q" \'s 📷\t]]>', 'Me', 'Z', 'four', '©'.repeat(5_000), '&'.repeat(5_000)]) {
      it(`${name}: is read again character by character: ${copyright.slice(0, 20)}`, async () => {
        const labelled = labelPicture(await made, { copyright, digitalSourceType: 'trainedAlgorithmicMedia' })!
        const { EXIF, XMP, ExifTool } = await said(labelled)
        assert.deepEqual([String(EXIF?.Copyright), XMP?.Rights], [copyright, copyright])
        assert.equal(XMP?.DigitalSourceType, GENERATED)
        assert.deepEqual([ExifTool?.Warning, ExifTool?.Error], [undefined, undefined])
      })
    }

    it(`${name}: pixels stay, and the same labels give the same bytes`, async () => {
      const picture = await made
      const one = labelPicture(picture, { copyright: '© one', digitalSourceType: 'trainedAlgorithmicMedia' })!
      const other = labelPicture(one, { copyright: 'another', digitalSourceType: null })!
      assert.deepEqual(await sharp(one).raw().toBuffer(), await sharp(picture).raw().toBuffer())
      assert.deepEqual(labelPicture(one, { copyright: '© one', digitalSourceType: 'trainedAlgorithmicMedia' }), one)
      assert.deepEqual(other, labelPicture(picture, { copyright: 'another', digitalSourceType: null }))
      assert.deepEqual(labelPicture(other, NONE), picture)
      assert.deepEqual(labelPicture(picture, NONE), picture)
    })

    it(`${name}: leaves bytes that end too early as they are`, async () => {
      const picture = await made
      assert.equal(labelPicture(picture.subarray(0, 30), { ...NONE, copyright: 'Me' }), undefined)
    })
  }

  it('leaves other files as they are', async () => {
    assert.equal(labelPicture(await quadrantImage().webp().toBuffer(), { ...NONE, copyright: 'Me' }), undefined)
    assert.equal(labelPicture(Buffer.alloc(0), { ...NONE, copyright: 'Me' }), undefined)
  })

  it('drops characters that XML can’t hold from XMP alone', async () => {
    const labelled = labelPicture(await pictures.jpeg, { copyright: 'a\u0001b\r\nc\ufffe', digitalSourceType: null })!
    const { EXIF, XMP } = await said(labelled)
    assert.deepEqual([EXIF?.Copyright, XMP?.Rights], ['a\u0001b\r\nc\ufffe', 'ab\r\nc'])
  })
})
