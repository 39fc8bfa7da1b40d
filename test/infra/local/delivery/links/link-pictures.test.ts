import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { LinkPictures, type PictureClient, type WantedPicture } from '../../../../../infra/local/delivery/links/link-pictures.ts'
import type { KeptPicture, Picture } from '../../../../../infra/local/delivery/links/picture-file.ts'
import { systemClock } from '../../../../../shared/backends/clock/port.ts'
import { SourceSlots } from '../../../../../shared/library/concurrency/source-slots.ts'
import { Turns } from '../../../../../shared/library/concurrency/turns.ts'
import { Busy } from '../../../../../shared/library/errors.ts'
import { type LinkAnswer, linkTag } from '../../../../../shared/library/links/render-link.ts'
import { toLinkId } from '../../../../../shared/vocabulary/ids.ts'

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
    slots: new SourceSlots({ total: 100, perSource }),
    render(wanted) {
      const { promise, resolve, reject } = Promise.withResolvers<LinkAnswer>()
      const picture = { mime: 'image/webp' as const, data: Buffer.from(wanted.query) }
      const answer = { status: 'picture' as const, etag: tagOf(wanted.linkId, wanted.query), modified: 0, picture }
      renders.push({ wanted, end: (changes) => resolve({ ...answer, ...changes } as LinkAnswer), fail: reject })
      return promise
    },
  })
  const find = (linkId: string, query: string, revision = 1, client: Partial<PictureClient> = {}) =>
    pictures.find({ alias: 'demo', linkId: toLinkId(linkId), query }, tagOf(linkId, query, revision), { ...someClient, ...client })
  return { kept, renders, find }
}

const unlabelled = { file: 1, copyright: null, digitalSourceType: null, focalPoint: null }

/** The tag of a picture without labels. */
const tagOf = (linkId: string, query: string, revision = 1) => linkTag(toLinkId(linkId), { revision, ...unlabelled }, query)

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

  test('more of one link than may wait are refused; hits and other links are not', async () => {
    const { find, renders, kept } = setUp({ atOnce: 1, atOncePerSource: 1, waitingPerSource: 3 })
    const etag = tagOf('one', 'width=9')
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

  test('a picture of a link that was replaced meanwhile is kept for what it shows', async () => {
    const { find, renders, kept } = setUp()
    const found = find('a', 'width=1', 1)
    await settled()
    renders[0]!.end({ etag: tagOf('a', 'width=1', 2) })
    await found
    assert.deepEqual([...kept.keys()], [tagOf('a', 'width=1', 2)])
  })
})
