import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { cameraCreated } from '../../../shared/tools/metadata/camera-time.ts'
import { dimensionsFromTags } from '../../../shared/tools/metadata/dimensions.ts'
import { extractMetadata, limits } from '../../../shared/tools/metadata/extraction.ts'
import { geolocation } from '../../../shared/tools/metadata/geolocation.ts'

const utc = (text: string) => Date.parse(text) / 1000

describe('the extraction table', () => {
  it('takes the title from XMP title, headline, object name, caption, in this order', () => {
    const iptc: { [tag: string]: string } = { Headline: 'headline', ObjectName: 'name', 'Caption-Abstract': 'caption' }
    assert.equal(extractMetadata({ XMP: { Title: 'xmp' }, IPTC: iptc }).title, 'xmp')
    assert.equal(extractMetadata({ IPTC: iptc }).title, 'headline')
    assert.equal(extractMetadata({ IPTC: { ...iptc, Headline: ' \0' } }).title, 'name')
    assert.equal(extractMetadata({ IPTC: { 'Caption-Abstract': 'caption' } }).title, 'caption')
    assert.equal(extractMetadata({ XMP: { Headline: '' }, IPTC: iptc }).title, 'headline')
    assert.equal(extractMetadata({ XMP: { Headline: '' }, IPTC: { 'Caption-Abstract': 'caption' } }).title, '')
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

  it('takes keywords from XMP where IPTC has none', () => {
    const XMP = { Subject: [' sea', 'boat', 'sea', ''] }
    assert.deepEqual(extractMetadata({ XMP }).keywords, ['sea', 'boat'])
    assert.deepEqual(extractMetadata({ XMP, IPTC: { City: 'Bergen', Keywords: ['', ' '] } }).keywords, ['sea', 'boat'])
    assert.deepEqual(extractMetadata({ XMP, IPTC: { Keywords: 'of IPTC' } }).keywords, ['of IPTC'])
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

  it('is that of the original, of the digitisation, of the film, each by EXIF, IPTC, XMP: the first sensible one', () => {
    // Metadata Working Group, Guidelines for Handling Image Metadata 2.0: "Date/Time"; XMP's own copies of EXIF come with XMP.
    const dates = [
      ['EXIF', 'DateTimeOriginal'],
      ['IPTC', 'DateCreated'],
      ['XMP', 'DateTimeOriginal'],
      ['XMP', 'DateCreated'],
      ['EXIF', 'CreateDate'],
      ['IPTC', 'DigitalCreationDate'],
      ['XMP', 'DateTimeDigitized'],
      ['XMP', 'CreateDate'],
      ['QuickTime', 'CreateDate'],
    ] as const
    const texts: { [group: string]: { [tag: string]: string } } = { EXIF: {}, IPTC: {}, XMP: {}, QuickTime: {} }
    for (const [index, [group, tag]] of dates.toReversed().entries()) {
      texts[group]![tag] = `${2001 + index}:02:03`
      assert.equal(cameraCreated(texts), utc(`${2001 + index}-02-03T00:00:00Z`), tag)
    }
    for (const [index, [group, tag]] of dates.entries()) {
      texts[group]![tag] = ['0000:00:00 00:00:00', '    :  :     :  :  ', 'yesterday'][index % 3]!
      assert.equal(cameraCreated(texts), index < 8 ? utc(`${2008 - index}-02-03T00:00:00Z`) : undefined, tag)
    }
  })

  it('has the time of day and the offset that stand apart in IPTC, and those of XMP', () => {
    assert.equal(
      cameraCreated({ IPTC: { DigitalCreationDate: '2003:04:05', DigitalCreationTime: '10:11:12+02:00' } }),
      utc('2003-04-05T08:11:12Z'),
    )
    assert.equal(cameraCreated({ XMP: { DateCreated: '2004:04:05 10:11:12.5+01:00' } }), utc('2004-04-05T09:11:12Z'))
    assert.equal(cameraCreated({ EXIF: { DateTimeOriginal: '2004-04-05T10:11:12' } }), utc('2004-04-05T10:11:12Z'))
  })

  it('is unknown where only year or month of the original is known, whatever day it was scanned', () => {
    const scanned = { EXIF: { CreateDate: '2020:01:02 03:04:05' }, XMP: { CreateDate: '2020:01:02 03:04:05' } }
    for (const date of [
      '1955',
      '1955:06',
      '1955:00:00',
      '1955:06:00',
      '1955:00:00 00:00:00',
      '1955:  :     :  :  ',
      '1955:06:     :  :  ',
    ]) {
      assert.equal(cameraCreated({ ...scanned, EXIF: { ...scanned.EXIF, DateTimeOriginal: date } }), undefined, date)
      assert.equal(cameraCreated({ ...scanned, IPTC: { DateCreated: date } }), undefined, date)
      assert.equal(cameraCreated({ ...scanned, XMP: { ...scanned.XMP, DateCreated: date } }), undefined, date)
    }
    for (const day of ['1955:06:07   :  :  ', '1955:06:07T12', '1955:06:07 ??:??:??']) {
      assert.equal(cameraCreated({ ...scanned, EXIF: { ...scanned.EXIF, DateTimeOriginal: day } }), utc('1955-06-07T00:00:00Z'), day)
    }
    assert.equal(
      cameraCreated({ EXIF: { DateTimeOriginal: '1955:06:07 10:00:00' }, IPTC: { DateCreated: '1955' } }),
      utc('1955-06-07T10:00:00Z'),
    )
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
    assert.equal(geolocation({ Composite })?.source, 'quicktime')
    assert.deepEqual(geolocation({ Composite: { GPSLatitude: '-0.00000001', GPSLongitude: '-180' } }), {
      source: 'quicktime',
      longitude: '-180',
      latitude: '0',
    })
  })

  it('comes from XMP where EXIF has none that is possible', () => {
    const XMP = { GPSLatitude: '-33.8686111111111', GPSLongitude: '70.6483' }
    const place = { source: 'xmp', longitude: '70.6483', latitude: '-33.8686111' }
    assert.deepEqual(geolocation({ XMP }), place)
    const unset = { GPSLatitude: '0', GPSLongitude: '0' }
    assert.deepEqual(geolocation({ Composite: unset, EXIF: unset, XMP }), place)
    assert.deepEqual(geolocation({ XMP: { LocationCreatedGPSLatitude: '1', LocationCreatedGPSLongitude: '2' } })?.latitude, '1')
    assert.equal(geolocation({ Composite: { GPSLatitude: '1', GPSLongitude: '2' }, EXIF: { GPSLatitude: '1' }, XMP })?.source, 'exif')
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
