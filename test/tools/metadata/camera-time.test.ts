import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { extractMetadata } from '../../../shared/tools/metadata/extraction.ts'
import type { TagGroups } from '../../../shared/tools/metadata/tags.ts'
import { save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { runFfmpeg, testVideo, withVideos } from '../../support/videos.ts'

const taken = (texts: TagGroups<string>) => extractMetadata(texts).cameraCreated
const utc = (text: string) => Date.parse(text) / 1000

describe('the time when a film was taken', () => {
  const directory = temporaryDirectory(afterAll)
  const exiftool = createExifTool()
  afterAll(() => exiftool.close())

  const takenAt = async (path: string) => taken((await exiftool.readTags(path, 'film')).texts)

  const made = '2011-02-03T04:05:06Z'
  const filmed = '2010-01-02'
  const films: [name: string, metadata: readonly string[], time: string][] = [
    ['DateUTC.mkv', [`creation_time=${made}`], made],
    ['DATE_RECORDED.mkv', [`DATE_RECORDED=${filmed}`], filmed],
    ['header.mov', [`creation_time=${made}`], made],
    ['day.mov', [`creation_time=${made}`, `date=${filmed}`], filmed],
    ['apple.mov', [`creation_time=${made}`, 'com.apple.quicktime.creationdate=2012-03-04T05:06:07+0200'], '2012-03-04T03:06:07Z'],
    ['date.ogv', [`date=${filmed}`], filmed],
    ['package.mxf', [`creation_time=${made}`], made],
    ['properties.wmv', [`creation_time=${made}`], made],
    ['ICRD.avi', [`date=${filmed}`], filmed],
    ['packs.dv', [`creation_time=${made}`], made],
  ]
  test.for(films)('is read of %s with %o', withVideos, async ([name, metadata, time]) => {
    const codecs = { '.ogv': 'theora', '.mxf': 'mpeg2video', '.wmv': 'wmv2', '.avi': 'mpeg4', '.dv': 'dvvideo' } as const
    const end = name.slice(name.indexOf('.')) as keyof typeof codecs
    const size = end === '.dv' ? { width: 720, height: 576 } : {}
    const container = { '.ogv': 'ogv', '.mxf': 'mxf', '.wmv': 'wmv', '.avi': 'avi', '.dv': 'dv' } as const
    const source = await testVideo({
      seconds: 0.2,
      sound: 'none',
      codec: codecs[end] ?? 'h264',
      container: container[end] ?? 'mov',
      ...size,
    })
    const path = join(directory, name)
    const told = metadata.flatMap((each) => ['-metadata', each])
    await runFfmpeg([
      '-v',
      'error',
      '-i',
      source,
      ...told,
      '-c',
      'copy',
      '-movflags',
      name === 'apple.mov' ? 'use_metadata_tags' : '+0',
      path,
    ])
    assert.equal(await takenAt(path), utc(time))
  })

  test('is read of IDIT of AVI, as the C library writes dates', async () => {
    const chunk = (name: string, contents: Buffer) =>
      Buffer.concat([Buffer.from(name), Buffer.from(new Uint32Array([contents.length]).buffer), contents])
    const idit = chunk('IDIT', Buffer.from('Mon Mar 10 15:04:43 2003\n\0'))
    const header = chunk('LIST', Buffer.concat([Buffer.from('hdrl'), chunk('avih', Buffer.alloc(56)), idit]))
    const avi = await save(directory, 'camera.avi', chunk('RIFF', Buffer.concat([Buffer.from('AVI '), header])))
    assert.equal(await takenAt(avi), utc('2003-03-10T15:04:43Z'))
  })

  test('is that of the recording before that of the file, whichever of them the file says', () => {
    const QuickTime = { CreateDate: '2020:01:01 00:00:00' }
    assert.equal(taken({ QuickTime, H264: { DateTimeOriginal: '2009:08:01 12:00:00+01:00' } }), utc('2009-08-01T11:00:00Z'))
    assert.equal(taken({ QuickTime, XML: { CreationDateValue: '2015:06:07 08:09:10+02:00' } }), utc('2015-06-07T06:09:10Z'))
    assert.equal(taken({ QuickTime, XMP: { ShotDate: '2014:01:01', CreateDate: '2021:01:01' } }), utc('2014-01-01'))
    assert.equal(taken({ QuickTime, XMP: { CreateDate: '2021:01:01' } }), utc('2021-01-01'), 'the digitised date of XMP first')
    assert.equal(taken({ QuickTime, EXIF: { DateTimeOriginal: '2008:01:01 00:00:00' } }), utc('2008-01-01'))
  })

  test('is unknown where the film has only the year of the recording', () => {
    const QuickTime = { CreateDate: '2020:01:01 00:00:00', ContentCreateDate: '1999' }
    assert.equal(taken({ QuickTime }), undefined)
    assert.equal(taken({ QuickTime: { ...QuickTime, CreationDate: '1999:05:06 07:08:09Z' } }), utc('1999-05-06T07:08:09Z'))
  })

  test('is not that of a clock that nobody set', () => {
    for (const zero of ['0000:00:00 00:00:00', '1904:01:01 00:00:00', '1970:01:01 00:00:00', '1970:01:01 00:00:12'])
      assert.equal(taken({ QuickTime: { CreateDate: zero } }), undefined, zero)
    assert.equal(taken({ QuickTime: { CreateDate: '0000:00:00 00:00:00', MediaCreateDate: '2007:01:01 00:00:00' } }), utc('2007-01-01'))
    assert.equal(taken({ DV: { DateTimeOriginal: '2070:01:01 00:00:00' } }), undefined)
    assert.equal(taken({ MXF: { CreateDate: '0000:00:00 00:00:00.000' } }), undefined)
    assert.equal(taken({ ASF: { CreationDate: '1601:01:01 00:00:00Z' } }), undefined)
  })
})
