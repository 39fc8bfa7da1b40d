import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { outputFormats } from '../../../shared/tools/imaging/transformation.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { renderLinkPicture as render } from '../../support/link-picture.ts'
import { images, quadrantColours, quadrantImage, save } from '../../support/pictures/index.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

const { exiftool, directory } = await temporaryExifTool()

/** A picture that tells much of whoever took it. */
const talkative = (format: 'jpeg' | 'png' | 'webp') =>
  quadrantImage()
    .withExif({
      IFD0: { Make: 'Told-camera', Artist: 'Told-artist', Copyright: 'Told-copyright' },
      IFD2: { UserComment: 'Told-comment' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 40/1 34/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><told/></x:xmpmeta>')
    .withIccProfile('srgb')
    .toFormat(format)
    .toBuffer()

/** A JPEG whose EXIF is big-endian, as that of many cameras is: it names its camera. */
async function bigEndian(): Promise<Buffer> {
  const picture = await quadrantImage().jpeg().toBuffer()
  const text = Buffer.from('Told-camera\0')
  // The header; a directory of one entry, a text that follows; no further directory.
  const exif = Buffer.concat([Buffer.from('4d4d002a000000080001010f00020000000c0000001a00000000', 'hex'), text])
  const segment = Buffer.concat([Buffer.from('Exif\0\0'), exif])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(segment.length + 2)
  return Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, segment, picture.subarray(2)])
}

/** Numbers and texts of the tags in the first directory of EXIF. */
function tagsOf(exif: Buffer): Map<number, string> {
  const isLittle = exif.includes('II*\0')
  const start = exif.indexOf(isLittle ? 'II*\0' : 'MM\0*')
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength)
  const directory = start + view.getUint32(start + 4, isLittle)
  const tags = new Map<number, string>()
  for (let entry = directory + 2; entry < directory + 2 + view.getUint16(directory, isLittle) * 12; entry += 12) {
    const count = view.getUint32(entry + 4, isLittle)
    const at = count <= 4 ? entry + 8 : start + view.getUint32(entry + 8, isLittle)
    tags.set(view.getUint16(entry, isLittle), exif.toString('utf8', at, at + count - 1))
  }
  return tags
}

const [COPYRIGHT, MAKE, ARTIST, GPS] = [0x8298, 0x10f, 0x13b, 0x8825]

describe('the metadata of a link’s picture', () => {
  for (const format of outputFormats) {
    it(`as ${format} is gone, place and profile among it`, async () => {
      for (const source of ['jpeg', 'png', 'webp'] as const) {
        const { header, data } = await render(talkative(source), { width: 32, format })
        assert.deepEqual([header.exif, header.xmp, header.icc, header.iptc], [undefined, undefined, undefined, undefined])
        assert.ok(!Buffer.from(data).includes('Told-') && !Buffer.from(data).includes('told'))
      }
    })

    for (const copyright of ['All rights reserved', '© Zoë Müller, 写真 📷', 'Me', '©'.repeat(3_000)]) {
      it(`as ${format} is the copyright that the library knows, in UTF-8: ${copyright.slice(0, 20)}`, async () => {
        const picture = await render(talkative('jpeg'), { width: 32, format }, { labels: { copyright, digitalSourceType: null } })
        const tags = tagsOf(picture.header.exif!)
        assert.equal(tags.get(COPYRIGHT), copyright.slice(0, 2_000))
        assert.deepEqual(
          [MAKE, ARTIST, GPS].filter((tag) => tags.has(tag)),
          [],
        )
        assert.ok(!Buffer.from(picture.data).includes('Told-'))
        assertClose([await picture.at(0.25, 0.25)], [quadrantColours[0]], 8)
      })
    }

    for (const copyright of ['© Zoë Müller', 'Me']) {
      it(`as ${format} is that copyright where the EXIF of the original is big-endian: ${copyright}`, async () => {
        const picture = await render(await bigEndian(), { width: 32, format }, { labels: { copyright, digitalSourceType: null } })
        assert.equal(tagsOf(picture.header.exif!).get(COPYRIGHT), copyright)
        assert.ok(!Buffer.from(picture.data).includes('Told-'))
        assertClose([await picture.at(0.25, 0.25)], [quadrantColours[0]], 8)
      })
    }
  }

  for (const format of outputFormats) {
    for (const copyright of ['© Zoë 日本 & <b>', '"Q" \'s 📷\t]]>', 'Me', 'x']) {
      it(`as ${format} is read again by ExifTool character by character, with the digital source type: ${copyright}`, async () => {
        const labels = { copyright, digitalSourceType: 'compositeSynthetic' }
        const { data } = await render(talkative('jpeg'), { width: 32, format }, { labels })
        const { printed } = await exiftool.readTags(await save(directory, `labelled.${format}`, Buffer.from(data)), `labelled.${format}`)
        assert.deepEqual([String(printed.EXIF?.Copyright), String(printed.XMP?.Rights)], [copyright, copyright])
        assert.equal(printed.XMP?.DigitalSourceType, 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic')
        // libvips begins the EXIF of WebP as that of JPEG, which all programs read.
        const { Error: error, Warning: warning = '' } = printed.ExifTool ?? {}
        assert.deepEqual([error, String(warning).replace('[minor] Improper EXIF header', '')], [undefined, ''])
      })
    }
  }

  it('is a digital source type alone where there is no copyright', async () => {
    const labels = { copyright: null, digitalSourceType: 'trainedAlgorithmicMedia' }
    const { header } = await render(images['plain.jpg'](), { width: 32, format: 'webp' }, { labels })
    assert.equal(header.exif, undefined)
    assert.match(header.xmp!.toString(), /digitalsourcetype\/trainedAlgorithmicMedia</)
  })

  it('of a picture that moves is kept as WebP', async () => {
    const labels = { copyright: '© Me', digitalSourceType: 'trainedAlgorithmicMedia' }
    const { header } = await render(images['animated.gif'](), { width: 32, format: 'webp' }, { labels })
    assert.deepEqual([header.pages, tagsOf(header.exif!).get(COPYRIGHT)], [2, '© Me'])
    assert.match(header.xmp!.toString(), /trainedAlgorithmicMedia/)
  })

  it('is nothing where the copyright is empty, or the format is GIF', async () => {
    const empty = await render(images['plain.jpg'](), {}, { labels: { copyright: '\0', digitalSourceType: null } })
    assert.equal(empty.header.exif, undefined)
    const gif = await render(images['animated.gif'](), {}, { labels: { copyright: '© Me', digitalSourceType: null } })
    assert.deepEqual([gif.header.format, gif.header.pages], ['gif', 2])
  })
})
