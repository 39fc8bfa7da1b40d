import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { companyKey, listingKey } from '../../../shared/library/accounts/companies.ts'
import { fillFacts } from '../../../shared/library/imports/fill-facts.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { createThumbHasher } from '../../../shared/tools/imaging/thumbhash.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { VideoFacts } from '../../../shared/vocabulary/video.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { COMPANY, putMedia } from '../../support/media.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

const never = () => false
const renditionKey = (mediaId: number) => `${COMPANY}/${mediaId}/renditions/110x60`

/** A library of so many pictures of an earlier version. */
async function setUp(count = 0) {
  const { table, media: objects, clock, by } = await openImportStores()
  await table.put({ ...companyKey(COMPANY), companyId: COMPANY, name: 'Company', created: 0, streaming: false, stock: false })
  await table.put({ ...listingKey(COMPANY), companyId: COMPANY })
  const picture = await sharp({ create: { width: 110, height: 60, channels: 3, background: '#407010' } })
    .jpeg()
    .toBuffer()
  const put = async (mediaId: number, over: Partial<Parameters<typeof putMedia>[1]> = {}) => {
    const key = renditionKey(mediaId)
    await objects.put(key, picture, { contentType: 'image/jpeg' })
    const renditions = { '110px': { key, mime: 'image/jpeg', width: 110, height: 60, bytes: picture.length } }
    return putMedia(table, { mediaId, modified: mediaId, renditions, ...over })
  }
  for (let id = 1; id <= count; id++) await put(id)
  const read = async (mediaId: number) => (await table.get<StoredMedia>(mediaKey(toMediaId(mediaId))))!
  const hash = createThumbHasher()
  const lines: string[] = []
  const world = {
    ...{ table, objects, clock, by, picture, put, read, lines },
    hashed: 0,
    /** What a call does before it hashes a picture. */
    beforeHash: async (_picture: Buffer) => {},
    fill: (outOfTime = never) => fillFacts(library, outOfTime),
    hashes: async (ids: number[]) => Promise.all(ids.map(async (id) => (await read(id)).thumbhash)),
  }
  const library = {
    ...{ table, media: objects, clock, by, videoProbe: createVideoProbe(), log: jsonLog((line) => lines.push(line)) },
    async thumbHasher(bytes: Buffer) {
      world.hashed++
      await world.beforeHash(bytes)
      return hash(bytes)
    },
  }
  return world
}

describe('filling in ThumbHashes', () => {
  test('gives every picture one, as no change of the file, and then is done', async () => {
    const world = await setUp(3)
    const { put, read, fill } = world
    await put(4, { thumbhash: 'AAAA' })
    await put(5, { kind: 'generic', renditions: {} })
    await fill()
    for (const id of [1, 2, 3]) {
      const { thumbhash, revision, version } = await read(id)
      assert.ok(Buffer.from(thumbhash!, 'base64').length > 4)
      assert.deepEqual([revision, version], [1, 1])
    }
    assert.deepEqual([(await read(4)).thumbhash, (await read(5)).thumbhash, world.hashed], ['AAAA', undefined, 3])
    await put(6)
    await fill()
    assert.equal(world.hashed, 3, 'imports make those of new files')
  })

  test('passes a picture that is gone, damaged, or makes a mistake show', async () => {
    const world = await setUp(4)
    const { objects, fill, hashes, lines } = world
    await objects.delete([renditionKey(1)])
    await objects.put(renditionKey(2), Buffer.from('no picture'), { contentType: 'image/jpeg' })
    world.beforeHash = async () => {
      if (world.hashed === 2) throw new TypeError('a mistake')
    }
    await fill()
    assert.deepEqual((await hashes([1, 2, 3, 4])).map(Boolean), [false, false, false, true])
    assert.equal(lines.filter((line) => line.includes('could not be filled in')).length, 3)
    await fill()
    assert.equal(world.hashed, 3, 'that was the one look at them')
  })

  test('passes a picture that ended the process three times', async () => {
    const world = await setUp(3)
    const { table, objects, fill, hashes } = world
    await objects.put(renditionKey(2), Buffer.from('killer'), { contentType: 'image/jpeg' })
    const put = table.put.bind(table)
    let runs = 0
    for (let isDone = false; !isDone && runs < 10; ) {
      world.beforeHash = async (picture) => {
        if (picture.toString() !== 'killer') return
        runs++
        // A process that ended notes nothing any more.
        table.put = async () => assert.fail('no process')
        throw new ObjectsUnavailable('the process ended')
      }
      isDone = await fill().then(
        () => true,
        () => false,
      )
      table.put = put
    }
    assert.equal(runs, 3)
    assert.deepEqual((await hashes([1, 2, 3])).map(Boolean), [true, false, true])
  })
})

describe('filling in facts of films', withVideos, () => {
  const nothing: VideoFacts = { seconds: null, frameRate: null, videoCodec: null, audioCodec: null, hasAudio: null, isHdr: false }

  test.each([
    ['mkv', 'video/matroska', 'video/x-matroska', undefined, {}],
    ['avi', 'video/vnd.avi', 'video/x-msvideo', { ...nothing, hasAudio: true, seconds: 12 }, { Encoding: 1, BitsPerSample: 16 }],
    ['mp4', 'video/mp4', 'video/mp4', { ...nothing, videoCodec: 'h264' }, {}],
  ] as const)('of %s files names the type and what was not known; what was known stays', async (container, before, after, video, RIFF) => {
    const { objects, put, read, fill } = await setUp()
    const film = await put(1, { kind: 'video', renditions: {}, mime: before, ...(video && { video }) })
    const bytes = await readFile(await testVideo({ container, ...(container === 'avi' && { codec: 'mpeg4' }) }))
    await objects.put(objectKeys.original(film), bytes, { contentType: before })
    await objects.put(objectKeys.tags(film), Buffer.from(JSON.stringify({ RIFF })), { contentType: 'application/json' })
    await fill()
    const { mime, video: facts, revision, version } = await read(1)
    assert.deepEqual([mime, revision, version], [after, 1, 1])
    assert.equal(facts?.hasAudio, true)
    if (container === 'avi') assert.deepEqual([facts?.audioCodec, facts?.seconds], ['pcm-s16', 12])
    else assert.deepEqual([facts?.videoCodec, facts?.audioTracks?.length, Math.round(facts?.seconds ?? 0)], ['h264', 1, 1])
  })
})
