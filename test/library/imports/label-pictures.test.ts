import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { type Objects, ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { hashPoster } from '../../../shared/library/imports/hash-poster.ts'
import { labelPictures } from '../../../shared/library/imports/label-pictures.ts'
import { getJob, type JobRecord, jobIdOf } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { editMetadata, fileOperations } from '../../../shared/library/media/edit.ts'
import { getMany } from '../../../shared/library/media/find.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { labelsJob } from '../../../shared/library/media/label-job.ts'
import { newLinkId, publication } from '../../../shared/library/media/link.ts'
import type { EditableMetadata, MediaLink } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { changeVideo, ensureVideo } from '../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { labelPicture } from '../../../shared/tools/imaging/label-picture.ts'
import { createThumbHasher } from '../../../shared/tools/imaging/thumbhash.ts'
import { type MediaId, toContentsId, toMediaId, toStoredId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { openTestObjects, openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)
const SIZES = [
  ['110px', 4],
  ['200px', 8],
  ['320px', 8],
] as const

/** A library of one picture, whose renditions share an object. */
async function setUp() {
  const library = { ...openTestTable(), media: openTestObjects() }
  const { table, media } = library
  const picture = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })

  async function put(mediaId: number, more: Partial<Parameters<typeof putMedia>[1]> = {}): Promise<MediaId> {
    const id = toMediaId(mediaId)
    const renditions = Object.fromEntries(
      SIZES.map(([size, side]) => {
        const key = objectKeys.rendition({ companyId: COMPANY, mediaId: id }, { width: side, height: side })
        return [size, { key, mime: 'image/jpeg', width: side, height: side }]
      }),
    )
    await putMedia(table, { mediaId, copyright: 'before', renditions, ...more })
    for (const { key, width } of Object.values(renditions)) {
      const labelled = labelPicture(await picture(width).jpeg().toBuffer(), { copyright: 'before', digitalSourceType: null })!
      await media.put(key, labelled, { contentType: 'image/jpeg' })
    }
    return id
  }
  await put(FILE)

  /** The copyrights in a file's renditions, as their XMP has them. */
  async function said(mediaId = FILE): Promise<string[]> {
    const { objects } = await media.list(objectKeys.renditions({ companyId: COMPANY, mediaId }))
    return Promise.all(
      objects.map(async ({ key }) => /x-default">([^<]*)</.exec(String(await buffer((await media.get(key)).stream)))?.[1] ?? ''),
    )
  }

  return {
    ...{ library, table, media, picture, put, said },
    edit: (copyright: string | null, ids: readonly MediaId[] = [FILE]) => editMetadata(library, ids, () => ({ copyright })),
    run: (ports: Partial<typeof library> = {}, ids: readonly MediaId[] = [FILE]) => labelPictures({ ...library, ...ports }, COMPANY, ids),
    jobs: async () => (await listJobs(library, [labelsJob.name], {})).map(jobIdOf),
  }
}

describe('the labels of stored pictures', () => {
  test('are those that the library knows after an edit, and none after one that empties them', async () => {
    const { said, edit, run } = await setUp()
    assert.deepEqual(await said(), ['before', 'before'])
    await edit('© Zoë')
    await run()
    assert.deepEqual(await said(), ['© Zoë', '© Zoë'])
    await edit(null)
    await run()
    assert.deepEqual(await said(), ['', ''])
  })

  test('keep how the picture came about, and the copyright of its EXIF where the library knows none', async () => {
    const { put, said, run, media, library } = await setUp()
    const mediaId = await put(2, { copyright: null })
    const tags = { EXIF: { Copyright: '© of the camera' }, XMP: { DigitalSourceType: 'trainedAlgorithmicMedia' } }
    await media.put(objectKeys.tags({ companyId: COMPANY, mediaId }), Buffer.from(JSON.stringify(tags)), {
      contentType: 'application/json',
    })
    await run({}, [mediaId])
    assert.deepEqual(await said(mediaId), ['© of the camera', '© of the camera'])
    const [file] = await getMany(library, [mediaId])
    const { stream } = await media.get(file!.renditions!['110px']!.key)
    assert.match(String(await buffer(stream)), /digitalsourcetype\/trainedAlgorithmicMedia</)
  })

  test('are read, and not stored, where they are right already', async () => {
    const { run, edit, media } = await setUp()
    await edit('after')
    await run()
    const put: Objects['put'] = () => assert.fail('stored again')
    await run({ media: instead(media, { put }) })
  })

  test.each(['before', 'after'] as const)('are right in the end although a run crashes %s any call to a port', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const { library, edit, run, said } = await setUp()
      await edit('after')
      const faults = new Faults(failing, when)
      await unlessEnded(run({ table: faults.in(library.table), media: faults.in(library.media) }))
      wasReached = faults.hasFailed
      await run()
      assert.deepEqual(await said(), ['after', 'after'], `${when} call ${failing}`)
    }
  })

  test('are those of the last edit although an earlier run stores later, or they run at once', async () => {
    const { media, edit, run, said } = await setUp()
    await edit('during')
    let isFirst = true
    const put: Objects['put'] = async (...input) => {
      if (isFirst) {
        isFirst = false
        await edit('after')
        await run()
      }
      return media.put(...input)
    }
    await run({ media: instead(media, { put }) })
    assert.deepEqual(await said(), ['after', 'after'])
    await edit('last')
    await Promise.all([run(), run(), run()])
    assert.deepEqual(await said(), ['last', 'last'])
  })

  test('are not stored of a file that is deleted meanwhile', async () => {
    const { table, media, edit, run, said } = await setUp()
    await edit('after')
    let left = 1
    const put: Objects['put'] = async (...input) => {
      if (left-- > 0) {
        await table.delete(mediaKey(FILE))
        await media.delete((await media.list('')).objects.map(({ key }) => key))
      }
      return media.put(...input)
    }
    await run({ media: instead(media, { put }) })
    assert.deepEqual([await said(), (await media.list('')).objects], [[], []])
  })

  test('are those of the present file although another became it meanwhile, and bring back nothing of a number that was deleted', async () => {
    const { table, media, picture, run, edit } = await setUp()
    await edit('after')
    const stored = toStoredId('replacing')
    const key = objectKeys.rendition({ companyId: COMPANY, mediaId: FILE, stored }, { width: 4, height: 4 })
    await media.put(key, await picture(4).jpeg().toBuffer(), { contentType: 'image/jpeg' })
    let isFirst = true
    const put: Objects['put'] = async (...input) => {
      if (isFirst) {
        isFirst = false
        const renditions = { '110px': { key, mime: 'image/jpeg', width: 4, height: 4 } }
        await table.update(mediaKey(FILE), { set: { stored, renditions }, add: { revision: 1 } })
        const { objects } = await media.list(objectKeys.renditions({ companyId: COMPANY, mediaId: FILE }))
        await media.delete(objects.map((object) => object.key))
      }
      return media.put(...input)
    }
    await run({ media: instead(media, { put }) })
    assert.deepEqual(
      (await media.list('')).objects.map((object) => object.key),
      [key],
    )
    assert.match(String(await buffer((await media.get(key)).stream)), />after</)
  })

  test('of a picture that is gone, or none that can be labelled, stop no other', async () => {
    const { put, media, edit, run, said } = await setUp()
    const other = await put(2)
    const [first] = (await media.list(objectKeys.renditions({ companyId: COMPANY, mediaId: FILE }))).objects
    await media.delete([first!.key])
    await edit('after', [FILE, other])
    await run({}, [FILE, other])
    assert.deepEqual([await said(), await said(other)], [['after'], ['after', 'after']])
    await media.put(first!.key, Buffer.from('no picture'), { contentType: 'image/jpeg' })
    await run()
    const away = instead(media, {
      get: async (key) => {
        if (key.startsWith(objectKeys.prefix({ companyId: COMPANY, mediaId: FILE }))) throw new ObjectsUnavailable('away')
        return media.get(key)
      },
    })
    await edit('last', [FILE, other])
    await assert.rejects(run({ media: away }, [FILE, other]), /the pictures of 1 of 2 files got no labels/)
    assert.deepEqual(await said(other), ['last', 'last'])
  })

  test('are in the poster of a video, from the start and after an edit', async () => {
    const { library, table, media, picture, put } = await setUp()
    const mediaId = await put(2, { kind: 'video', mime: 'video/mp4', renditions: {}, copyright: '© film' })
    const [file] = await getMany(library, [mediaId])
    const video = await ensureVideo(library, file as Parameters<typeof ensureVideo>[1])
    const { preview } = await changeVideo(library, video, { preview: { ...video.preview, state: 'available', hasPoster: true } })
    const key = videoObjects.poster(video, preview.encodingId)
    await media.put(key, await picture(8).jpeg().toBuffer(), { contentType: 'image/jpeg' })
    const poster = async () => String(await buffer((await media.get(key)).stream))
    await hashPoster({ table, media, thumbHasher: createThumbHasher(), log: jsonLog(() => {}) }, mediaId)
    assert.match(await poster(), />© film</)
    await editMetadata(library, [mediaId], () => ({ copyright: 'after' }))
    await labelPictures(library, COMPANY, [mediaId])
    assert.match(await poster(), />after</)
    assert.equal((await media.head(key))?.contentType, 'image/jpeg')
  })
})

describe('an edit', () => {
  test('asks for the labels of what it changes the copyright of, and of nothing else', async () => {
    const { library, put, jobs, edit } = await setUp()
    const [vector, film] = [await put(2, { kind: 'vector' }), await put(3, { kind: 'video' })]
    const others: Partial<EditableMetadata>[] = [{ title: { en: 'Title' } }, { copyright: 'before' }, { byline: 'Anna' }]
    for (const other of others) await editMetadata(library, [FILE], () => other)
    await edit('after', [vector])
    assert.deepEqual(await jobs(), [])
    await edit('after')
    await edit(null)
    await edit('after', [film])
    assert.deepEqual((await jobs()).sort(), ['label-pictures.1', 'label-pictures.3'])
    const input = (await getJob(library, 'label-pictures.1'))?.input
    assert.deepEqual(input, { companyId: COMPANY, mediaIds: [FILE] })
  })

  test('of many files asks for one job, and asks in a transaction of a hundred files, too', async () => {
    for (const count of [2, 98, 99, 100]) {
      const { library, put, jobs, edit, table } = await setUp()
      const alias = 'alias'
      const link = (): MediaLink => ({ id: newLinkId(), contents: toContentsId(201), alias })
      const ids = await Promise.all(Array.from({ length: count }, (_, n) => put(n + 10, { links: [link()] })))
      const committed: (string | number)[] = []
      const transact: typeof table.transact = async (operations) => {
        committed.push(Object.keys(operations).length)
        await table.transact(operations)
      }
      await editMetadata({ ...library, table: instead(table, { transact }) }, ids, () => ({ copyright: 'after' }))
      assert.deepEqual(committed, count <= 98 ? [count + 2] : [2, count, 2])
      const [id] = await jobs()
      const job = (await getJob(library, id!)) as JobRecord & { input: { mediaIds: MediaId[] } }
      assert.deepEqual([job.input.mediaIds, job.notBefore], [ids, undefined])
      assert.ok((await listJobs(library, [publication.name], {})).length >= 1)
      await edit('again', ids)
    }
  })

  test('of a hundred files that ends after its commit has its jobs later', async () => {
    const { library, put, jobs, table } = await setUp()
    const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => put(n + 10)))
    let transactions = 0
    const transact: typeof table.transact = async (operations) => {
      if (++transactions === 3) throw new Error('the process ends')
      await table.transact(operations)
    }
    await assert.rejects(editMetadata({ ...library, table: instead(table, { transact }) }, ids, () => ({ copyright: 'after' })))
    assert.equal((await getMany(library, ids)).filter(({ copyright }) => copyright === 'after').length, 100)
    const [id] = await jobs()
    assert.ok((await getJob(library, id!))!.notBefore! > library.clock.now())
  })

  test('in a bulk change says what its jobs are for', async () => {
    const { library } = await setUp()
    const [media] = await getMany(library, [FILE])
    const step = await fileOperations(library, media!, { fields: { copyright: 'after' } })
    assert.deepEqual([step?.edit?.before, step?.edit?.change.edited.copyright], [media, 'after'])
  })
})
