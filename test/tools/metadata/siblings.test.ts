import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { extractMetadata } from '../../../shared/tools/metadata/extraction.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { dataset, images, jpegWithIptc, save } from '../../support/pictures/index.ts'

const { exiftool, directory } = await temporaryExifTool()
/** An ExifTool that wrote a structure gives its fields other names when it reads. */
const { exiftool: maker } = await temporaryExifTool()
let files = 0

/** Numbers of IPTC-IIM 4.2's datasets. */
const [OBJECT_NAME, CITY, HEADLINE, CAPTION] = [5, 90, 105, 120] as const

/** A picture with these tags, by ExifTool's options. */
async function tagged(name: keyof typeof images, ...options: string[]): Promise<string> {
  const path = await save(directory, `${files++}-${name}`, images[name]())
  const { errors } = await maker.run(['-overwrite_original', ...options.map((option) => `-${option}`)], path)
  assert.equal(errors, '')
  return path
}

async function edited(source: string, fields: WrittenFields): Promise<string> {
  const target = join(directory, `edited-${files++}`)
  await exiftool.writeFields(source, target, fields)
  return target
}

/** All tags that a file says, but for what describes it: ExifTool's names with their groups. */
async function tagsOf(path: string, ...groups: string[]): Promise<Record<string, string | string[]>> {
  const asked = groups.map((group) => `-${group}`)
  const { printed } = await exiftool.run(['-j', '-G1', '-n', '-api', 'StructFormat=JSONQ', ...asked], path)
  const [{ SourceFile: _, ...tags }] = JSON.parse(printed.toString())
  return tags
}

// The fields are those that Lightroom, digiKam, ACDSee, Windows and Media Pro write, by ExifTool's list of tags and exiv2's documentation.
describe('an edit keeps fields of other programs in step', () => {
  const PATHS = {
    'XMP-lr:HierarchicalSubject': '|',
    'XMP-digiKam:TagsList': '/',
    'XMP-mediapro:CatalogSets': '|',
    'XMP-expressionmedia:CatalogSets': '|',
  }
  const LISTS = [
    ...['XMP-microsoft:LastKeywordXMP', 'XMP-microsoft:LastKeywordIPTC', 'XMP-lr:WeightedFlatSubject'],
    ...['XMP-acdsee:Keywords', 'XMP-prism:Keyword'],
  ]
  const keywords = (words: string[]) => words.flatMap((word) => ['IPTC:Keywords', 'XMP-dc:Subject'].map((tag) => `${tag}=${word}`))

  it('keywords: lists say the same words, paths lose those that are gone', async () => {
    const words = ['Anna', 'Bob', 'Paris']
    const source = await tagged(
      'plain.jpg',
      ...keywords(words),
      ...LISTS.flatMap((tag) => words.map((word) => `${tag}=${word}`)),
      ...Object.entries(PATHS).flatMap(([tag, by]) =>
        [['People', 'Anna'], ['People', 'Bob'], ['Anna', 'Paris'], ['Unsaid']].map((path) => `${tag}=${path.join(by)}`),
      ),
      'IFD0:XPKeywords=Anna;Bob;Paris',
      'XMP-pdf:Keywords=Anna, Bob, Paris',
    )
    const after = await tagsOf(await edited(source, { keywords: ['Bob', 'Paris', 'Carl'] }), 'XMP:all', 'IFD0:XPKeywords')
    for (const tag of LISTS) assert.deepEqual(after[tag], ['Bob', 'Paris', 'Carl'], tag)
    for (const [tag, by] of Object.entries(PATHS)) assert.deepEqual(after[tag], [`People${by}Bob`, 'Paris', 'Unsaid'], tag)
    assert.equal(after['IFD0:XPKeywords'], 'Bob;Paris;Carl')
    assert.equal(after['XMP-pdf:Keywords'], 'Bob, Paris, Carl')
    assert.ok(!JSON.stringify(after).includes('Anna'))
    const emptied = await tagsOf(await edited(source, { keywords: [] }), 'XMP:all', 'IFD0:XPKeywords')
    assert.deepEqual(emptied, {})
  })

  it('keywords: words are the same in whatever case, and with their path', async () => {
    const source = await tagged(
      'plain.jpg',
      ...keywords(['anna', 'People/Bob', 'Carl']),
      ...['People|ANNA', 'People|Bob', 'People|Carl'].map((path) => `XMP-lr:HierarchicalSubject=${path}`),
      ...['People/anna', 'People/Bob', 'People/Carl'].map((path) => `XMP-microsoft:LastKeywordXMP=${path}`),
    )
    const after = await tagsOf(await edited(source, { keywords: ['carl'] }), 'XMP:all')
    assert.equal(after['XMP-lr:HierarchicalSubject'], 'People|Carl')
    assert.equal(after['XMP-microsoft:LastKeywordXMP'], 'People/Carl')
    assert.ok(!/anna|bob/i.test(JSON.stringify(after)))
  })

  it('keywords: trees lose a word with all that is below it', async () => {
    const tree = (...names: string[]) =>
      `<Categories><Category Assigned="0">People${names.map((name) => `<Category Assigned="1">${name}</Category>`).join('')}</Category></Categories>`
    const source = await tagged(
      'plain.jpg',
      ...keywords(['Anna &amp; Co', 'Bob'].map((word) => word.replace('&amp;', '&'))),
      `XMP-acdsee:Categories=${tree('Anna &amp; Co', 'Bob')}`,
      'XMP-mwg-kw:KeywordInfo={Hierarchy=[{Keyword=People,Children=[{Keyword=Anna & Co}]}]}',
      'XMP-ics:TagStructure=[{LabelName=People,SubLabels=[{LabelName=Anna & Co}]}]',
    )
    const after = await tagsOf(await edited(source, { keywords: ['Bob'] }), 'XMP:all')
    assert.equal(after['XMP-acdsee:Categories'], tree('Bob'))
    assert.ok(!JSON.stringify(after).includes('Anna'))
    const kept = await tagsOf(await edited(source, { keywords: ['Anna & Co', 'Bob', 'Carl'] }), 'XMP:all')
    assert.equal(kept['XMP-acdsee:Categories'], tree('Anna &amp; Co', 'Bob'))
    assert.deepEqual([kept['XMP-mwg-kw:HierarchicalKeywords2'], kept['XMP-ics:LabelName2']], ['Anna & Co', 'Anna & Co'])
  })

  it('keywords: the names of persons go, and the regions of their faces stay', async () => {
    const region = (name: string, x: number) => `{Area={X=${x},Y=0.1,W=0.1,H=0.1,Unit=normalized},Name=${name},Type=Face}`
    const source = await tagged(
      'plain.jpg',
      ...keywords(['Anna & Co', 'Bob']),
      ...['Anna & Co', 'Bob', 'Carl'].map((name) => `XMP-iptcExt:PersonInImage=${name}`),
      `XMP-mwg-rs:RegionInfo={RegionList=[${region('Anna & Co', 0.1)},${region('Bob', 0.5)}]}`,
      'XMP-MP:RegionInfoMP={Regions=[{Rectangle=1,PersonDisplayName=anna & co},{Rectangle=2,PersonDisplayName=Bob}]}',
    )
    const copy = await edited(source, { keywords: ['Bob'] })
    const { printed } = await exiftool.run(['-j', '-struct', '-XMP-mwg-rs:all', '-XMP-MP:all', '-PersonInImage'], copy)
    const [{ RegionInfo, RegionInfoMP, PersonInImage }] = JSON.parse(printed.toString())
    assert.deepEqual(PersonInImage, ['Bob', 'Carl'])
    const [first, second] = RegionInfo.RegionList
    assert.deepEqual([first.Name, first.Area.X, second.Name, second.Area.X], [undefined, 0.1, 'Bob', 0.5])
    assert.deepEqual(RegionInfoMP.Regions, [{ Rectangle: 1 }, { Rectangle: 2, PersonDisplayName: 'Bob' }])
  })

  const TITLES = [
    ...['IPTC:ObjectName', 'IFD0:XPTitle', 'ExifIFD:ImageTitle', 'XMP-exifEX:ImageTitle', 'XMP-acdsee:Caption'],
    ...['XMP-pdf:Title', 'XMP-xmp:Title'],
  ]
  const SAME_TITLES = ['IPTC:Headline', 'XMP-photoshop:Headline', 'IFD0:XPSubject']

  it('titles, and headlines that say the same', async () => {
    const source = await tagged('plain.jpg', ...['XMP-dc:Title', ...TITLES, ...SAME_TITLES].map((tag) => `${tag}=Anna's day`))
    const after = await tagsOf(await edited(source, { title: 'Our day 😀' }), ...TITLES, ...SAME_TITLES)
    // ExifTool writes Windows' fields without characters past U+FFFF.
    for (const tag of [...TITLES, ...SAME_TITLES]) assert.equal(after[tag], tag.startsWith('IFD0:XP') ? 'Our day' : 'Our day 😀', tag)
    const other = await tagged('plain.jpg', 'XMP-dc:Title=A', 'IPTC:Headline=Another', 'XMP-photoshop:Headline=Another')
    const kept = await tagsOf(await edited(other, { title: 'B' }), ...SAME_TITLES)
    assert.deepEqual(kept, { 'IPTC:Headline': 'Another', 'XMP-photoshop:Headline': 'Another' })
    assert.deepEqual(await tagsOf(await edited(source, { title: '' }), 'XMP:all', ...TITLES, ...SAME_TITLES), {})
  })

  it('a title cut to what IPTC holds is the same title', async () => {
    const title = 'ø'.repeat(100)
    const source = await tagged('plain.jpg', `XMP-dc:Title=${title}`, 'IPTC:CodedCharacterSet=UTF8', `IPTC:ObjectName=${'ø'.repeat(32)}`)
    const after = await tagsOf(await edited(source, { title: '海'.repeat(50) }), 'IPTC:ObjectName')
    assert.deepEqual(after, { 'IPTC:ObjectName': '海'.repeat(21) })
  })

  const COMMENTS = [
    ...['IFD0:ImageDescription', 'IFD0:XPComment', 'IFD0:XPSubject', 'XMP-acdsee:Notes', 'XMP-album:Notes'],
    ...['XMP-tiff:ImageDescription', 'XMP-xmp:Description', 'Ducky:Comment'],
  ]
  const SAME_COMMENTS = ['ExifIFD:UserComment', 'XMP-exif:UserComment', 'File:Comment']

  it('comments, and notes that say the same', async () => {
    const source = await tagged('plain.jpg', ...[...COMMENTS, ...SAME_COMMENTS].map((tag) => `${tag}=Anna's home`))
    const after = await tagsOf(await edited(source, { description: 'Über uns' }), ...COMMENTS, ...SAME_COMMENTS)
    for (const tag of [...COMMENTS, ...SAME_COMMENTS]) assert.equal(after[tag], 'Über uns', tag)
    assert.deepEqual(await tagsOf(await edited(source, { description: '' }), ...COMMENTS, ...SAME_COMMENTS), {})
    const other = await tagged('plain.jpg', 'IFD0:XPComment=Old', 'ExifIFD:UserComment=Screenshot', 'File:Comment=Created with GIMP')
    const kept = await tagsOf(await edited(other, { description: 'New' }), 'IFD0:XPComment', ...SAME_COMMENTS)
    assert.deepEqual(kept, { 'IFD0:XPComment': 'New', 'ExifIFD:UserComment': 'Screenshot', 'File:Comment': 'Created with GIMP' })
  })

  it('texts of a PNG, and a copyright of XMP for TIFF', async () => {
    const png = await tagged('plain.png', 'PNG:Title=Old', 'PNG:Description=Old', 'PNG:Copyright=Old', 'PNG:Comment=Old', 'PNG:Author=Anna')
    const fields = { title: 'Ein Täg', description: 'Neu', copyright: '© Wir' }
    const texts = ['PNG:Title', 'PNG:Description', 'PNG:Copyright', 'PNG:Comment', 'PNG:Author']
    assert.deepEqual(await tagsOf(await edited(png, fields), ...texts), {
      'PNG:Title': 'Ein Täg',
      'PNG:Description': 'Neu',
      'PNG:Copyright': '© Wir',
      'PNG:Comment': 'Neu',
      'PNG:Author': 'Anna',
    })
    const source = await tagged('plain.tif', 'XMP-tiff:Copyright=Anna')
    assert.deepEqual(await tagsOf(await edited(source, fields), 'XMP-tiff:Copyright'), { 'XMP-tiff:Copyright': '© Wir' })
  })

  it('what nobody edited stays', async () => {
    const own = {
      'IFD0:XPTitle': 'W',
      'XMP-acdsee:Notes': 'N',
      'XMP-tiff:Copyright': 'C',
      'IFD0:XPKeywords': 'K',
      'XMP-digiKam:TagsList': 'x/y',
    }
    const said = { title: 'Title', description: 'Text', copyright: '©', keywords: ['one', 'two'] }
    const source = await tagged(
      'plain.jpg',
      ...Object.entries(own).map(([tag, text]) => `${tag}=${text}`),
      ...['XMP-dc:Title=Title', 'IPTC:Caption-Abstract=Text', 'XMP-dc:Rights=©', ...keywords(said.keywords)],
    )
    assert.deepEqual(await tagsOf(await edited(source, said), ...Object.keys(own)), own)
  })

  it('none is added', async () => {
    const after = await edited(await tagged('plain.jpg'), { title: 'A', description: 'B', copyright: 'C', keywords: ['D'] })
    const said = await tagsOf(after, 'XMP:all', 'IPTC:all', 'File:Comment', 'IFD0:ImageDescription')
    assert.deepEqual(
      Object.keys(said)
        .filter((tag) => !/:(XMPToolkit|CodedCharacterSet|\w+Version)$/.test(tag))
        .sort(),
      ['IPTC:Caption-Abstract', 'IPTC:CopyrightNotice', 'IPTC:Keywords', 'XMP-dc:Subject', 'XMP-dc:Title'],
    )
  })
})

describe('an emptied title is none', () => {
  const imported = async (path: string) => extractMetadata((await exiftool.readTags(path, 'x')).texts).title

  it.each([
    'XMP-dc:Title',
    'XMP-dc:Title-da',
    'XMP-pdf:Title',
    'XMP-xmp:Title',
    'IPTC:Headline',
    'IPTC:ObjectName',
    'IPTC:Caption-Abstract',
  ])('when the download of a file that says it in %s is imported', async (tag) => {
    const source = await tagged('plain.jpg', 'IPTC:CodedCharacterSet=UTF8', `${tag}=Title`, 'IPTC:City=Zürich')
    assert.equal(await imported(source), 'Title')
    const copy = await edited(source, { title: '' })
    assert.equal(await imported(copy), '')
    assert.deepEqual(await tagsOf(copy, 'IPTC:City'), { 'IPTC:City': 'Zürich' })
  })

  it('beside a description, which would be its title otherwise', async () => {
    const copy = await edited(await tagged('plain.jpg', 'XMP-dc:Title=Title'), { title: '', description: 'A description' })
    const { title, description } = extractMetadata((await exiftool.readTags(copy, 'x')).texts)
    assert.deepEqual([title, description], ['', 'A description'])
    assert.deepEqual(await tagsOf(copy, 'XMP-dc:all'), {})
  })

  it('nor was there one where only a description was ever said', async () => {
    for (const tag of ['IFD0:ImageDescription', 'XMP-dc:Description']) {
      const copy = await edited(await tagged('plain.jpg', `${tag}=A description`), { description: 'A description', keywords: ['word'] })
      assert.equal(await imported(copy), '', tag)
    }
    const captioned = await tagged('plain.jpg', 'IPTC:Caption-Abstract=A caption')
    assert.equal(await imported(await edited(captioned, { keywords: ['word'] })), 'A caption')
  })

  it.each([HEADLINE, OBJECT_NAME, CAPTION])('also where the second record of IPTC alone says it, in dataset %i', async (number) => {
    const file = jpegWithIptc(dataset(CITY, 'Paris'), dataset(number, 'Title'))
    const copy = await edited(await save(directory, `records-${files++}`, file), { title: '' })
    assert.equal(await imported(copy), '')
  })
})
