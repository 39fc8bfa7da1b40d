import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { Invalid, NotReady, Undecodable } from '../../../shared/library/errors.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { type LinkRendering, linkTag, renderLink, untilPrepared } from '../../../shared/library/links/render-link.ts'
import { openPublicFiles, someLink } from '../../support/published-link.ts'
import { TestClock } from '../../support/test-clock.ts'

const unlabelled = { file: 1, copyright: null, digitalSourceType: null, focalPoint: null }

const colour = (width: number, height: number, background: string) => sharp({ create: { width, height, channels: 3, background } })
const red = await colour(64, 48, 'red').png().toBuffer()
const blue = await colour(64, 48, 'blue').png().toBuffer()

/** A picture whose masters show other colours, so that a rendering says what it was made of. */
const large = {
  about: { mime: 'image/jpeg', width: 4_000, height: 3_000, master: true },
  original: await colour(4_000, 3_000, 'red').jpeg().toBuffer(),
  master: await colour(2_048, 1_536, 'blue').jpeg().toBuffer(),
}

const ask = (library: LinkRendering, query: string, known: readonly string[] = []) =>
  renderLink(library, { ...someLink, query, isKnown: ({ etag }) => known.includes(etag) })

/** The same, where something happens between the manifest and the source. */
function beforeFetching({ publicFiles, ...library }: LinkRendering, happens: () => Promise<void>): LinkRendering {
  return {
    ...library,
    publicFiles: {
      head: (key) => publicFiles.head(key),
      get: (key, range) => publicFiles.get(key, range),
      async fetch(key, path) {
        await happens()
        return publicFiles.fetch(key, path)
      },
    },
  }
}

async function picture(library: LinkRendering, query: string) {
  const answer = await ask(library, query)
  assert.equal(answer.status, 'picture')
  if (answer.status !== 'picture') throw new Error('unreachable')
  const { dominant } = await sharp(answer.picture.data).stats()
  const { width, height } = await sharp(answer.picture.data).metadata()
  const shown = dominant.g > 128 ? 'lime' : dominant.r > dominant.b ? 'red' : 'blue'
  return { ...answer, colour: shown, size: [width, height] }
}

describe('rendering a link', () => {
  test('starts from the master for sizes up to half of it, and from the original above', async () => {
    const library = await openPublicFiles()
    await library.publish(large.about, large)
    assert.deepEqual(await picture(library, 'width=1024').then(({ colour, size }) => [colour, size]), ['blue', [1024, 768]])
    assert.deepEqual(await picture(library, 'width=1025').then(({ colour, size }) => [colour, size]), ['red', [1025, 769]])
    assert.equal((await picture(library, 'height=768')).colour, 'blue')
    assert.equal((await picture(library, 'grayscale=1')).size[0], 4_000)
  })

  test('fetches a source once, however many pictures are made of it, and not what is gone', async () => {
    const library = await openPublicFiles()
    await library.publish({ revision: 1 }, { original: red })
    let fetches = 0
    const counting = beforeFetching(library, async () => {
      fetches += 1
    })
    await Promise.all([8, 16, 24, 32].map((width) => picture(counting, `width=${width}`)))
    assert.equal((await picture(counting, 'height=12')).colour, 'red')
    assert.equal(fetches, 1)
    await library.publish({ revision: 2 }, { original: blue })
    assert.equal((await picture(counting, 'height=12')).colour, 'blue')
    assert.equal(fetches, 2)
  })

  test('starts from the pyramid for a part of a very large picture, and for all of it where that has twice the size, but never keeps a gain map so', async () => {
    const library = await openPublicFiles()
    const original = await colour(5_000, 4_000, 'red').jpeg().toBuffer()
    const pyramid = await colour(5_000, 4_000, 'blue').tiff({ pyramid: true, tile: true, compression: 'jpeg' }).toBuffer()
    const about = { mime: 'image/jpeg', width: 5_000, height: 4_000, master: true }
    await library.publish(about, { original })
    assert.equal((await picture(library, 'crop=0,0,0.1,0.1')).colour, 'red')
    await library.publish(about, { original, pyramid })
    for (const [query, expected, size] of [
      ['crop=0.2,0.3,0.1,0.1', 'blue', [500, 400]],
      ['crop=0.2,0.3,0.5,0.5&width=1250', 'blue', [1_250, 1_000]],
      ['crop=0,0,0.8,0.8&width=3000', 'red', [3_000, 2_400]],
      ['width=1250', 'blue', [1_250, 1_000]],
      ['width=2000', 'red', [2_000, 1_600]],
      ['crop=0,0,0.2,0.2&hdr=1', 'red', [1_000, 800]],
      ['fit=cover&focus=auto&width=1250&height=1250', 'red', [1_250, 1_250]],
      ['fit=cover&focus=auto&width=1000&height=1000', 'blue', [1_000, 1_000]],
    ] as const) {
      const shown = await picture(library, query)
      assert.deepEqual([shown.colour, shown.size], [expected, size], query)
    }
  })

  test('says that a source is being made, or cannot be made', async () => {
    const library = await openPublicFiles()
    await library.publish({ ...large.about, mime: 'image/heic' })
    const failure = await ask(library, 'width=2000').catch((error: unknown) => error)
    assert.ok(failure instanceof NotReady)
    assert.equal(failure.retryAfter, 2)
    await library.publicFiles.put(publicKeys.undecodable(someLink.linkId, { revision: 1 }), Buffer.of(), { contentType: 'text/plain' })
    await assert.rejects(ask(library, 'width=2000'), Undecodable)
  })

  test('shows what the link was replaced by when its source is gone meanwhile', async () => {
    const library = await openPublicFiles()
    await library.publish({ revision: 2 }, { original: blue })
    await library.publish({ revision: 1 })
    const replacedNow = beforeFetching(library, () => library.publish({ revision: 2 }))
    const { colour, etag } = await picture(replacedNow, 'width=32')
    assert.deepEqual([colour, etag], ['blue', linkTag(someLink.linkId, { revision: 2, ...unlabelled }, 'width=32')])
  })

  test('renders from no original of gigabytes, but from its master', async () => {
    const library = await openPublicFiles()
    await library.publish({ ...large.about, bytes: 1024 ** 3 + 1 }, large)
    await assert.rejects(ask(library, 'width=2000'), Undecodable)
    assert.equal((await picture(library, 'width=500')).colour, 'blue')
    await library.publish({ ...large.about, bytes: 1024 ** 3 }, large)
    assert.equal((await picture(library, 'width=2000')).colour, 'red')
  })

  test.each(['width=0', 'height=10&width=10', 'width=4097', 'size=3', 'output_format=gif', 'grayscale=0', 'width=10&', '&width=10'])(
    'takes no query but the one form of each: %s',
    async (query) => {
      const library = await openPublicFiles()
      await library.publish({}, { original: red })
      await assert.rejects(ask(library, query), Invalid)
    },
  )
})

test('a picture that is being prepared is waited for no longer than somebody wants it', async () => {
  const leaving = new AbortController()
  let attempts = 0
  const answer = untilPrepared(
    new TestClock().stopped,
    async () => {
      attempts += 1
      throw new NotReady('picture_not_ready', 'Not yet.', 1)
    },
    leaving.signal,
  )
  setImmediate(() => leaving.abort(new Error('left')))
  await assert.rejects(answer, /left/)
  assert.equal(attempts, 1)
})
