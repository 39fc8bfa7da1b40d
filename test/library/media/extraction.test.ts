import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { cameraCreated } from '../../../shared/library/media/camera-time.ts'
import { dimensionsFromTags } from '../../../shared/library/media/dimensions.ts'
import { extractMetadata, limits } from '../../../shared/library/media/extraction.ts'
import { geolocation } from '../../../shared/library/media/geolocation.ts'

const utc = (text: string) => Date.parse(text) / 1000

describe('the extraction table', () => {
  it('takes the title from XMP title, headline, object name, caption, in this order', () => {
    const iptc: { [tag: string]: string } = { Headline: 'headline', ObjectName: 'name', 'Caption-Abstract': 'caption' }
    assert.equal(extractMetadata({ XMP: { Title: 'xmp' }, IPTC: iptc }).title, 'xmp')
    assert.equal(extractMetadata({ IPTC: iptc }).title, 'headline')
    assert.equal(extractMetadata({ IPTC: { ...iptc, Headline: ' \0' } }).title, 'name')
    assert.equal(extractMetadata({ IPTC: { 'Caption-Abstract': 'caption' } }).title, 'caption')
  })

  it('takes the description from XMP, EXIF, caption, in this order', () => {
    const texts = { XMP: { Description: 'xmp' }, EXIF: { ImageDescription: 'exif' }, IPTC: { 'Caption-Abstract': 'caption' } }
    assert.equal(extractMetadata(texts).description, 'xmp')
    assert.equal(extractMetadata({ ...texts, XMP: {} }).description, 'exif')
    assert.equal(extractMetadata({ IPTC: texts.IPTC }).description, 'caption')
  })

  it('takes keywords from one value or many, without empty ones and repetitions, in NFC', () => {
    assert.deepEqual(extractMetadata({ IPTC: { Keywords: 'one' } }).keywords, ['one'])
    assert.deepEqual(extractMetadata({ IPTC: { Keywords: [' a', 'a ', '', ' ', 'e\u0301', 'é'] } }).keywords, ['a', 'é'])
  })

  it('cuts what is too long, between characters', () => {
    const long = '😀'.repeat(20_000)
    const { title, description, keywords } = extractMetadata({
      IPTC: { ObjectName: long, 'Caption-Abstract': long, Keywords: [long, ...Array.from({ length: 2_000 }, (_, n) => `${n}`)] },
    })
    assert.deepEqual([...title].length, limits.title)
    assert.deepEqual([...description].length, limits.description)
    assert.deepEqual([...keywords[0]!].length, limits.keyword)
    assert.equal(keywords.length, limits.keywords)
    assert.ok(title.isWellFormed() && keywords[0]!.isWellFormed())
  })

  it('shows IPTC as the file has it: integers where the format has them, keywords as array', () => {
    const group = { EnvelopeRecordVersion: '4', ApplicationRecordVersion: '2', ObjectName: '2.50', Urgency: '5', Keywords: 'one' }
    assert.deepEqual(extractMetadata({ IPTC: group }).iptc, {
      EnvelopeRecordVersion: 4,
      ApplicationRecordVersion: 2,
      ObjectName: '2.50',
      Urgency: '5',
      Keywords: ['one'],
    })
  })

  it('leaves out of IPTC what makes it larger than 64 KB', () => {
    const { iptc } = extractMetadata({ IPTC: { ObjectName: 'kept', Keywords: Array(10_000).fill('a keyword'), City: 'Bergen' } })
    assert.ok(JSON.stringify(iptc).length <= 65_536)
    assert.equal(iptc?.ObjectName, 'kept')
    assert.equal(iptc?.Keywords, undefined)
  })
})

describe('the time of a picture', () => {
  it('is read by the offset of its own source', () => {
    const exif = { DateTimeOriginal: '2020:06:01 12:00:00', OffsetTimeOriginal: '+05:30', CreateDate: '2021:06:01 12:00:00' }
    assert.equal(cameraCreated({ EXIF: exif }), utc('2020-06-01T06:30:00Z'))
    assert.equal(cameraCreated({ EXIF: { DateTimeOriginal: '2020:06:01 12:00:00', OffsetTime: '-03:00' } }), utc('2020-06-01T15:00:00Z'))
    assert.equal(cameraCreated({ EXIF: { CreateDate: '2020:06:01 12:00:00', OffsetTimeDigitized: 'Z' } }), utc('2020-06-01T12:00:00Z'))
    assert.equal(
      cameraCreated({ EXIF: { DateTimeOriginal: '2020:06:01 12:00:00', OffsetTimeOriginal: '  :  ' } }),
      utc('2020-06-01T12:00:00Z'),
    )
  })

  it('comes from EXIF, IPTC, XMP, QuickTime, the first sensible one', () => {
    const exif = { DateTimeOriginal: '0000:00:00 00:00:00', CreateDate: '    :  :     :  :  ' }
    const iptc = { DateCreated: '2003:04:05' }
    const xmp = { DateTimeOriginal: '2004:04:05 10:11:12.5+01:00' }
    const quickTime = { CreateDate: '2005:01:01 00:00:00' }
    assert.equal(cameraCreated({ EXIF: exif, IPTC: iptc, XMP: xmp }), utc('2003-04-05T00:00:00Z'))
    assert.equal(cameraCreated({ EXIF: exif, XMP: xmp, QuickTime: quickTime }), utc('2004-04-05T09:11:12Z'))
    assert.equal(cameraCreated({ QuickTime: quickTime }), utc('2005-01-01T00:00:00Z'))
    assert.equal(cameraCreated({ QuickTime: { CreateDate: '0000:00:00 00:00:00' } }), undefined)
  })

  it('is unknown where the date does not exist', () => {
    for (const text of ['2021:02:30 10:00:00', '2021:13:01 10:00:00', '2021:01:01 24:00:00', '1700:01:01 00:00:00', 'yesterday', '']) {
      assert.equal(cameraCreated({ EXIF: { DateTimeOriginal: text } }), undefined)
    }
  })
})

describe('the place of a picture', () => {
  it('is in decimal degrees, as text', () => {
    const Composite = { GPSLatitude: '55.6760968222222', GPSLongitude: '1e-05' }
    assert.deepEqual(geolocation({ Composite, EXIF: { GPSLatitude: '55.7' } }), {
      source: 'exif',
      longitude: '0.00001',
      latitude: '55.6760968',
    })
    assert.equal(geolocation({ Composite, XMP: { GPSLatitude: '55.7' } })?.source, 'xmp')
    assert.equal(geolocation({ Composite })?.source, 'quicktime')
    assert.deepEqual(geolocation({ Composite: { GPSLatitude: '-0.00000001', GPSLongitude: '-180' } }), {
      source: 'quicktime',
      longitude: '-180',
      latitude: '0',
    })
  })

  it('is unknown where it is impossible, incomplete or what receivers write that know nothing', () => {
    for (const [latitude, longitude] of [
      ['90.1', '10'],
      ['10', '-180.5'],
      ['undef', '10'],
      ['', '10'],
      ['0', '0'],
    ]) {
      assert.equal(geolocation({ Composite: { GPSLatitude: latitude!, GPSLongitude: longitude! } }), null)
    }
    assert.equal(geolocation({ Composite: { GPSLatitude: '10' } }), null)
    assert.equal(geolocation({}), null)
  })
})

describe('dimensions by tags', () => {
  it('are those of the picture as it is shown', () => {
    const ImageSize = '1920 1080'
    assert.deepEqual(dimensionsFromTags({ printed: { Composite: { ImageSize } } }), { width: 1920, height: 1080 })
    assert.deepEqual(dimensionsFromTags({ printed: { Composite: { ImageSize, Rotation: 90 } } }), { width: 1080, height: 1920 })
    assert.deepEqual(dimensionsFromTags({ printed: { Composite: { ImageSize, Rotation: 180 } } }), { width: 1920, height: 1080 })
    assert.deepEqual(dimensionsFromTags({ printed: { Composite: { ImageSize }, EXIF: { Orientation: 8 } } }), { width: 1080, height: 1920 })
  })

  it('are unknown where the tags say nothing sensible', () => {
    for (const ImageSize of ['0 0', '100mm 50mm', ''])
      assert.equal(dimensionsFromTags({ printed: { Composite: { ImageSize } } }), undefined)
    assert.equal(dimensionsFromTags({ printed: {} }), undefined)
  })
})
