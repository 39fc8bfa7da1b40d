import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { ObjectChanged, ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import type { Item, Key } from '../../../shared/backends/table/port.ts'
import { companyKey } from '../../../shared/library/accounts/companies.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { NO_USAGE, usageOfCompany } from '../../../shared/library/usage/usage.ts'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { ToolBusy, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { labelPicture } from '../../../shared/tools/imaging/label-picture.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { CATALOGUE, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { instead } from '../../support/instead.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import { focused, focusRegion, images } from '../../support/pictures/index.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

const FILE = toMediaId(1)

const UPLOAD_KEY = 'upload/picture.jpg'

describe('importing a file', () => {
  let exiftool: ExifTool
  beforeAll(() => {
    exiftool = createExifTool()
  })
  afterAll(() => exiftool.close())

  async function setUp() {
    const stores = await openImportStores()
    const { table, uploads, media } = stores
    await uploads.put(UPLOAD_KEY, await images['plain.jpg'](), { contentType: 'application/octet-stream' })
    const importing = { state: 'importing', progress: 0 } as const
    await putMedia(table, { mediaId: 1, ...importing, uploadKey: UPLOAD_KEY, filename: 'picture.jpg', kind: undefined })
    const read = () => table.get<StoredMedia>(mediaKey(FILE))
    const keys = async () => (await media.list('')).objects.map(({ key }) => key)
    return { ...stores, exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe(), read, keys }
  }

  test('asks for the preview of a video, unless previews are made on demand', withVideos, async () => {
    for (const videoPreviews of ['always', 'on-demand'] as const) {
      const library = await setUp()
      await library.uploads.put(UPLOAD_KEY, await readFile(await testVideo()), { contentType: 'application/octet-stream' })
      await importMedia({ ...library, settings: { videoPreviews } }, FILE)
      assert.equal((await library.read())?.kind, 'video')
      assert.equal((await getVideo(library, FILE))?.preview.state, videoPreviews === 'always' ? 'queued' : undefined)
    }
  })

  test('takes the focal point that a picture names, unless somebody said one or none; of other files and of the catalogue there is none', async () => {
    const picture = focused(await images['plain.jpg'](), focusRegion({ x: 0.25, y: 0.75 }))
    const point = { x: 0.25, y: 0.75 }
    const other = { x: 0.1, y: 0.1 }
    for (const [given, bytes, expected] of [
      [{}, picture, point],
      [{ focalPoint: other }, picture, other],
      [{ focalPoint: null }, picture, null],
      [{}, await images['plain.jpg'](), undefined],
      [{ focalPoint: other }, Buffer.from('text'), null],
      [{ companyId: CATALOGUE }, picture, undefined],
    ] as const) {
      const library = await setUp()
      await library.uploads.put(UPLOAD_KEY, bytes, { contentType: 'application/octet-stream' })
      await library.table.update(mediaKey(FILE), { set: { progress: 1, ...given } })
      await importMedia(library, FILE)
      assert.deepEqual((await library.read())?.focalPoint, expected)
    }
  })

  test('asks for keywords for a picture whose company wants that, by the same change, and reads one record more for that', async () => {
    for (const suggestions of [true, false, undefined]) {
      const library = await setUp()
      const company = { ...companyKey(COMPANY), companyId: COMPANY, ...(suggestions !== undefined && { suggestions }) }
      await library.table.put(company)
      const get = library.table.get.bind(library.table)
      const read: string[] = []
      library.table.get = <T extends Key = Item>(key: Key, options?: { consistent?: boolean }) => {
        read.push(key.pk)
        return get<T>(key, options)
      }
      await importMedia(library, FILE)
      const { suggestionsWanted, mediaId, revision } = (await library.read())!
      const wanted = suggestions
        ? { suggestionsWanted: library.clock.now(), hasJob: true }
        : { suggestionsWanted: undefined, hasJob: false }
      const hasJob = (await getJob(library, `suggest-keywords.${mediaId}`)) !== undefined
      assert.deepEqual({ suggestionsWanted, hasJob }, wanted)
      assert.equal(revision, 2, 'one change')
      assert.equal(read.filter((pk) => pk === companyKey(COMPANY).pk).length, 1)
    }
  })

  test('asks for a snapshot of the search index with every 2,000th file, by the same change', async () => {
    const library = await setUp()
    for (const mediaId of [1, 2_000]) {
      const importing = { state: 'importing', progress: 0 } as const
      await library.uploads.put(UPLOAD_KEY, Buffer.from('text'), { contentType: 'text/plain' })
      await putMedia(library.table, { mediaId, ...importing, uploadKey: UPLOAD_KEY, filename: 'a.txt', kind: undefined })
      await importMedia(library, toMediaId(mediaId))
      const job = await getJob(library, `snapshot-index.${COMPANY}`)
      assert.deepEqual(job?.input, mediaId === 2_000 ? { newerThan: library.clock.now() } : undefined)
    }
  })

  test('has the original alone stored in the class that the operator wants', async () => {
    const library = await setUp()
    const classes = new Map<string, string | undefined>()
    const media = instead(library.media, {
      copy: (source, key, labels) => {
        classes.set(key, labels.storageClass)
        return library.media.copy(source, key, labels)
      },
      putFile: (key, path, labels) => {
        classes.set(key, labels.storageClass)
        return library.media.putFile(key, path, labels)
      },
    })
    await importMedia({ ...library, media, settings: { videoPreviews: 'always', storageClass: 'INTELLIGENT_TIERING' } }, FILE)
    const [original, ...renditions] = [...classes].map(([key, name]) => [key.split('/').at(-1), name])
    assert.deepEqual(original, ['original', 'INTELLIGENT_TIERING'])
    assert.ok(renditions.length > 0)
    for (const [key, name] of renditions) assert.equal(name, undefined, key)
  })

  test('stores renditions that say what the library knows by then, else what the EXIF of the file says', async () => {
    const source = { copyright: '© Zoë 海', digitalSourceType: 'trainedAlgorithmicMedia' }
    const cases: [known: { copyright: string | null; emptied: string[] }, expected: string | undefined][] = [
      [{ copyright: null, emptied: [] }, '© Zoë 海'],
      [{ copyright: 'Ours', emptied: [] }, 'Ours'],
      [{ copyright: null, emptied: ['copyright'] }, undefined],
    ]
    for (const [known, expected] of cases) {
      const library = await setUp()
      const picture = labelPicture(await images['plain.jpg'](), source)!
      await library.uploads.put(UPLOAD_KEY, picture, { contentType: 'application/octet-stream' })
      await library.table.update(mediaKey(FILE), { set: known })
      await importMedia(library, FILE)
      for (const { key } of Object.values((await library.read())!.renditions!)) {
        const rendition = String(await buffer((await library.media.get(key)).stream))
        assert.equal(/x-default">([^<]*)</.exec(rendition)?.[1], expected)
        assert.match(rendition, /digitalsourcetype\/trainedAlgorithmicMedia</)
      }
    }
  })

  test('deliveries that come twice, at the same time and late are one import', async () => {
    const library = await setUp()
    await Promise.all([importMedia(library, FILE), importMedia(library, FILE), importMedia(library, FILE)])
    const first = await library.read()
    await editMetadata(library, [FILE], () => ({ title: { en: 'Edited' } }))
    await importMedia(library, FILE)
    const media = await library.read()
    assert.equal(first?.version, 1)
    assert.deepEqual([media?.version, media?.title], [2, { en: 'Edited' }], 'a late delivery undoes nothing')
    assert.deepEqual(await usageOfCompany(library, COMPANY), { bytes: media?.bytes, files: 1, versionBytes: 0 })
  })

  test('wherever it is cut off, the next delivery finishes it', async () => {
    const library = await setUp()
    let cuts = 0
    for (; (await library.read())?.state !== 'available'; cuts++) {
      const faults = new Faults(cuts + 1, 'before')
      await unlessEnded(importMedia({ ...library, table: faults.in(library.table), media: faults.in(library.media) }, FILE))
    }
    assert.ok(cuts >= 8, `it was cut off at ${cuts} places`)
    await importMedia(library, FILE)
    const media = await library.read()
    assert.deepEqual([media?.version, Object.keys(media?.renditions ?? {}).length], [1, 7])
    assert.equal(await library.uploads.head(UPLOAD_KEY), undefined)
  })

  test('a file deleted meanwhile leaves nothing behind', async () => {
    const library = await setUp()
    const deleting = instead(library.media, {
      put: async (key, body, labels) => {
        if (key.endsWith('tags.json')) await changePointers(library, FILE, () => new Map())
        return library.media.put(key, body, labels)
      },
    })
    await importMedia({ ...library, media: deleting }, FILE)
    assert.equal(await library.read(), undefined)
    assert.deepEqual(await library.keys(), [])
    assert.deepEqual(await usageOfCompany(library, COMPANY), NO_USAGE)
    await library.media.put(objectKeys.original({ companyId: COMPANY, mediaId: FILE }), Buffer.from('late'), { contentType: 'image/jpeg' })
    await importMedia(library, FILE)
    assert.deepEqual(await library.keys(), [], 'what a delivery that died had still stored goes with the next one')
  })

  test('what was inspected is what is stored: a form posted again meanwhile brings the delivery back, which inspects anew', async () => {
    const library = await setUp()
    const [first, second] = await Promise.all([images['plain.jpg'](), images['plain.png']()])
    const readTags: ExifTool['readTags'] = async (path, name) => {
      await library.uploads.put(UPLOAD_KEY, second, { contentType: 'application/octet-stream' })
      return exiftool.readTags(path, name)
    }
    await assert.rejects(importMedia({ ...library, exiftool: instead(exiftool, { readTags }) }, FILE), ObjectChanged)
    assert.equal((await library.read())?.state, 'importing')
    assert.deepEqual(await library.keys(), [], 'nothing of either is stored')
    await importMedia(library, FILE)
    const media = await library.read()
    const { companyId, mediaId } = media!
    const { stream, contentType } = await library.media.get(objectKeys.original({ companyId, mediaId }))
    assert.notDeepEqual(first, second)
    assert.deepEqual(Buffer.concat(await stream.toArray()), second)
    assert.deepEqual([media?.md5, media?.bytes, media?.mime, contentType], [md5(second), second.length, 'image/png', 'image/png'])
  })

  test('a file at whose inspection three attempts have crashed is imported as generic', async () => {
    const library = await setUp()
    await library.table.update(mediaKey(FILE), { set: { attempts: 3 } })
    await importMedia(library, FILE)
    const media = await library.read()
    assert.deepEqual([media?.state, media?.kind, media?.mime, media?.renditions], ['available', 'generic', 'application/octet-stream', {}])
    assert.match(media?.md5 ?? '', /^[0-9a-f]{32}$/)
  })

  test('the last delivery imports a file as generic whose import fails for no fault of the system', async () => {
    const library = await setUp()
    const stumbling = instead(library.table, {
      transact: (operations) =>
        Object.values(operations).some((operation) => 'update' in operation && operation.changes.set?.kind === 'image')
          ? Promise.reject(new RangeError('a mistake of ours'))
          : library.table.transact(operations),
    })
    await assert.rejects(importMedia({ ...library, table: stumbling }, FILE), RangeError)
    assert.equal((await library.read())?.state, 'importing', 'deliveries that come after it may succeed')
    await importMedia({ ...library, table: stumbling }, FILE, { lastTry: true })
    const media = await library.read()
    assert.deepEqual([media?.state, media?.kind, media?.renditions, media?.delayed], ['available', 'generic', {}, undefined])
    assert.deepEqual(await library.keys(), ['101/1/original', '101/1/tags.json'], 'what the attempts before it stored is gone')
    assert.equal(await library.uploads.head(UPLOAD_KEY), undefined)
  })

  test('when infrastructure fails to the last, the file waits as it was', async () => {
    const library = await setUp()
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
    for (const outage of [
      full,
      new ObjectsUnavailable('down'),
      new ToolUnavailable('no ExifTool'),
      new ToolBusy('others had the processor'),
    ]) {
      const failing = instead(library.media, { put: () => Promise.reject(outage) })
      await assert.rejects(importMedia({ ...library, media: failing }, FILE, { lastTry: true }), outage)
    }
    assert.equal((await library.read())?.state, 'importing')
    await importMedia(library, FILE)
    assert.equal((await library.read())?.kind, 'image')
  })
})

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
