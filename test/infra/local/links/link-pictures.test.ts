import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { Slots } from '../../../../infra/local/http/slots.ts'
import { LinkPictures, type PictureClient, type WantedPicture } from '../../../../infra/local/links/link-pictures.ts'
import { PictureCache } from '../../../../infra/local/links/picture-cache.ts'
import type { KeptPicture, Picture } from '../../../../infra/local/links/picture-file.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { Turns } from '../../../../shared/library/concurrency/turns.ts'
import { Busy, NotReady } from '../../../../shared/library/errors.ts'
import { type LinkAnswer, linkTag } from '../../../../shared/library/publishing/render-link.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { toLinkId } from '../../../../shared/vocabulary/ids.ts'

/** A client that stays. */
const someClient: PictureClient = { source: 'someone', left: new AbortController().signal }

/** A renderer that renders when it is told to, and a cache in memory. */
function setUp(limits: Partial<ConstructorParameters<typeof Turns>[0]> = {}, perSource = 100) {
  const kept = new Map<string, KeptPicture>()
  const renders: { wanted: WantedPicture; end(answer?: Partial<LinkAnswer>): void; fail(error: Error): void }[] = []
  const pictures = new LinkPictures({
    clock: systemClock,
    cache: {
      get: async (etag: string) => kept.get(etag),
      put: async (picture: Picture) => void kept.set(picture.etag, { ...picture, made: 0 }),
    },
    turns: new Turns({ atOnce: 2, atOncePerSource: 2, waiting: 100, waitingPerSource: 10, ...limits }),
    slots: new Slots({ total: 100, perSource }),
    render(wanted) {
      const { promise, resolve, reject } = Promise.withResolvers<LinkAnswer>()
      const picture = { mime: 'image/webp' as const, data: Buffer.from(wanted.query) }
      const answer = { status: 'picture' as const, etag: linkTag(wanted.linkId, 1, wanted.query), modified: 0, picture }
      renders.push({ wanted, end: (changes) => resolve({ ...answer, ...changes } as LinkAnswer), fail: reject })
      return promise
    },
  })
  const find = (linkId: string, query: string, revision = 1, client: Partial<PictureClient> = {}) =>
    pictures.find({ alias: 'demo', linkId: toLinkId(linkId), query }, revision, { ...someClient, ...client })
  return { kept, renders, find }
}

const MIB = 1024 ** 2

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('pictures of links', () => {
  test('fifty first requests are one render', async () => {
    const { find, renders } = setUp()
    const found = Array.from({ length: 50 }, () => find('a', 'width=1'))
    await settled()
    assert.equal(renders.length, 1)
    renders[0]!.end()
    for (const each of await Promise.all(found))
      assert.ok(each !== 'copy' && 'rendered' in each && String(each.rendered.data) === 'width=1')
    const again = await find('a', 'width=1')
    assert.ok(again !== 'copy' && 'kept' in again)
    assert.equal(renders.length, 1)
  })

  test('a render that fails fails for those who waited, and the next request renders again', async () => {
    const { find, renders } = setUp()
    const first = [find('a', 'width=1'), find('a', 'width=1')]
    await settled()
    renders[0]!.fail(new Error('no'))
    for (const each of first) await assert.rejects(each, { message: 'no' })
    const second = find('a', 'width=1')
    await settled()
    renders[1]!.end()
    assert.ok(await second)
  })

  test('more of one link than may wait are refused; hits and other links are not', async () => {
    const { find, renders, kept } = setUp({ atOnce: 1, atOncePerSource: 1, waitingPerSource: 3 })
    const etag = linkTag(toLinkId('one'), 1, 'width=9')
    kept.set(etag, { mime: 'image/webp', etag, data: Buffer.from('x'), made: 0 })
    const found = [1, 2, 3, 4].map((width) => find('one', `width=${width}`))
    await settled()
    await assert.rejects(find('one', 'width=5'), Busy)
    assert.ok(await find('one', 'width=9'))
    const other = find('other', 'width=1')
    for (let index = 0; index < 5; index++) {
      await settled()
      renders[index]!.end()
      await settled()
    }
    await Promise.all([...found, other])
  })

  test('renders whose clients have left are dropped: they keep no place from others', async () => {
    const { find, renders } = setUp({ atOnce: 1, atOncePerSource: 1, waiting: 3, waitingPerSource: 3 })
    const first = find('a', 'width=1')
    await settled()
    const leaving = new AbortController()
    const left = [2, 3, 4].map((width) => find('a', `width=${width}`, 1, { left: leaving.signal }))
    const outcomes = Promise.allSettled(left)
    await settled()
    await assert.rejects(find('a', 'width=5'), Busy)
    leaving.abort()
    for (const { status } of await outcomes) assert.equal(status, 'rejected')
    const last = find('a', 'width=6')
    await settled()
    renders[0]!.end()
    await settled()
    assert.deepEqual(
      renders.map(({ wanted }) => wanted.query),
      ['width=1', 'width=6'],
    )
    renders[1]!.end()
    await Promise.all([first, last])
  })

  test('a render goes on while one of its clients stays, and for nobody once it has begun', async () => {
    const { find, renders, kept } = setUp({ atOnce: 1, atOncePerSource: 1 })
    const leaving = new AbortController()
    const begun = find('a', 'width=1', 1, { left: leaving.signal })
    const [gone, stayed] = [find('a', 'width=2', 1, { left: leaving.signal }), find('a', 'width=2')]
    await settled()
    leaving.abort()
    const late = find('a', 'width=1')
    renders[0]!.end()
    await settled()
    renders[1]!.end()
    assert.deepEqual((await Promise.all([begun, gone, stayed, late])).includes('copy'), false)
    assert.deepEqual([renders.length, kept.size], [2, 2])
  })

  test('a picture whose source is being made is looked for no more when its clients have left', async () => {
    const { find, renders } = setUp()
    const leaving = new AbortController()
    const found = find('a', 'width=1', 1, { left: leaving.signal })
    await settled()
    leaving.abort()
    renders[0]!.fail(new NotReady('picture_not_ready', 'not yet', 1))
    await assert.rejects(found, { name: 'AbortError' })
    assert.equal(renders.length, 1)
  })

  test('one source waits for no more pictures than it may, of however many links; others do', async () => {
    const { find, renders } = setUp({ atOnce: 1, atOncePerSource: 1 }, 2)
    const found = ['a', 'b'].map((link) => find(link, 'width=1', 1, { source: 'greedy' }))
    await settled()
    await assert.rejects(find('c', 'width=1', 1, { source: 'greedy' }), Busy)
    const joined = find('a', 'width=1', 1, { source: 'greedy' })
    const other = find('c', 'width=1', 1, { source: 'other' })
    for (let index = 0; index < 3; index++) {
      await settled()
      renders[index]!.end()
      await settled()
    }
    await Promise.all([...found, joined, other])
    const again = find('d', 'width=1', 1, { source: 'greedy' })
    await settled()
    renders[3]!.end()
    assert.ok(await again)
  })

  test('another revision is another picture', async () => {
    const { find, renders } = setUp()
    const first = find('a', 'width=1', 1)
    await settled()
    renders[0]!.end()
    await first
    const second = find('a', 'width=1', 2)
    await settled()
    assert.equal(renders.length, 2)
    renders[1]!.end({ etag: linkTag(toLinkId('a'), 2, 'width=1') })
    await second
  })

  test('a picture of a link that was replaced meanwhile is kept for what it shows', async () => {
    const { find, renders, kept } = setUp()
    const found = find('a', 'width=1', 1)
    await settled()
    renders[0]!.end({ etag: linkTag(toLinkId('a'), 2, 'width=1') })
    await found
    assert.deepEqual([...kept.keys()], [linkTag(toLinkId('a'), 2, 'width=1')])
  })

  test('a large picture comes from the disk from the first answer on; one that the disk cannot have comes from memory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pictures-'))
    for (const maxBytes of [8 * MIB, 1 * MIB]) {
      const cache = new PictureCache({ directory, maxBytes, clock: { ...systemClock, now: () => 0 }, log: jsonLog(() => undefined) })
      const pictures = new LinkPictures({
        clock: systemClock,
        cache,
        turns: new Turns({ atOnce: 1, atOncePerSource: 1, waiting: 1, waitingPerSource: 1 }),
        slots: new Slots({ total: 1, perSource: 1 }),
        render: async ({ linkId, query }) => ({
          status: 'picture',
          etag: linkTag(linkId, 1, query),
          modified: 0,
          picture: { mime: 'image/png', data: Buffer.alloc(2 * MIB, 7) },
        }),
      })
      const found = await pictures.find({ alias: 'demo', linkId: toLinkId('a'), query: `width=${maxBytes}` }, 1, someClient)
      assert.ok(found !== 'copy' && 'rendered' in found)
      const { data } = found.rendered
      assert.equal(data.length, 2 * MIB)
      assert.equal(data instanceof Uint8Array, maxBytes === 1 * MIB)
      await cache.close()
    }
    await rm(directory, { recursive: true })
  })

  test('a file that is no picture is not kept', async () => {
    const { find, renders, kept } = setUp()
    const found = find('a', 'width=1')
    await settled()
    renders[0]!.end({ status: 'copy' })
    assert.equal(await found, 'copy')
    assert.equal(kept.size, 0)
  })
})
