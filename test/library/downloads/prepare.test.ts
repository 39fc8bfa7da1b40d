import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { describe, test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { CLAIM_MS, downloadsOf, readyDeliverables } from '../../../shared/library/downloads/copy-record.ts'
import { prepareDownload, prepareRendition } from '../../../shared/library/downloads/prepare.ts'
import { expireDownloads, removeDownloadsOf } from '../../../shared/library/downloads/remove.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { mediaRemoval } from '../../../shared/library/media/changes.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { type AvailableMedia, objectKeys } from '../../../shared/library/media/media.ts'
import { removeObjects } from '../../../shared/library/media/remove-objects.ts'
import { ToolFailed, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { ORIGINAL, setUp, writer } from './set-up.ts'

const FILE = toMediaId(1)
const [MINUTE, DAY] = [60, 86_400]
const never = () => false

type Test = Awaited<ReturnType<typeof setUp>>

/** The file is deleted for good, and what was told of it has been done. */
async function remove({ library, read }: Test): Promise<void> {
  const media = await read()
  await library.table.transact(mediaRemoval(library, media))
  await removeDownloadsOf(library, FILE)
  await removeObjects(library, media)
}

describe('what is delivered for an original', () => {
  test('is a copy that carries what the library knows, with its size and checksum', async () => {
    const { library, read, content } = await setUp()
    const deliverable = await prepareDownload(library, await read())
    const bytes = `${ORIGINAL} with {"title":"Boats"}`
    assert.equal(await content(deliverable.key), bytes)
    assert.deepEqual([deliverable.bytes, deliverable.crc32, deliverable.metadataWritten], [bytes.length, crc32(bytes), true])
    assert.equal((await library.media.head(deliverable.key))?.etag, deliverable.etag)
    assert.equal((await library.media.head(deliverable.key))?.contentType, 'image/jpeg')
  })

  test('is the original itself, byte for byte, where nothing was ever said of it', async () => {
    const { library, read, copies } = await setUp()
    const media: AvailableMedia = { ...(await read()), title: {} }
    const deliverable = await prepareDownload(library, media)
    assert.deepEqual(deliverable, { key: objectKeys.original(media), bytes: ORIGINAL.length, crc32: 17, metadataWritten: true })
    assert.deepEqual([library.exiftool.written, await copies()], [0, []])
  })

  test.each(['image/gif', 'video/mp4', 'application/octet-stream'])('is the original itself of %s', async (mime) => {
    const { library, read } = await setUp()
    const media = { ...(await read()), mime }
    assert.equal((await prepareDownload(library, media)).key, objectKeys.original(media))
  })

  test('carries English values, else those of the first language that has one', async () => {
    const { library, edit, content } = await setUp()
    const media = await edit({
      title: { da: 'Både', en: 'Boats' },
      description: { da: '', de: 'Ein Hafen', fr: 'Un port' },
      keywords: { en: [], de: ['Boot'] },
      copyright: 'Example Ltd',
    })
    const { key } = await prepareDownload(library, media)
    const fields = { title: 'Boats', copyright: 'Example Ltd', description: 'Ein Hafen', keywords: ['Boot'] }
    assert.equal(await content(key), `${ORIGINAL} with ${JSON.stringify(fields)}`)
  })

  test('lacks what an edit emptied, and has it again once it is filled', async () => {
    const { library, edit, content } = await setUp()
    const emptied = await edit({ title: {}, keywords: { en: [] }, copyright: null })
    assert.deepEqual(emptied.emptied, ['title', 'copyright', 'keywords'])
    const without = await content((await prepareDownload(library, emptied)).key)
    assert.equal(without, `${ORIGINAL} with ${JSON.stringify({ title: '', copyright: '', keywords: [] })}`)
    const filled = await edit({ keywords: { en: ['boat'] } })
    assert.deepEqual(filled.emptied, ['title', 'copyright'])
    const again = await content((await prepareDownload(library, filled)).key)
    assert.equal(again, `${ORIGINAL} with ${JSON.stringify({ title: '', copyright: '', keywords: ['boat'] })}`)
  })

  test('is made once, however many ask for it at the same time or later', async () => {
    const { library, read, copies } = await setUp()
    const media = await read()
    const all = await Promise.all(Array.from({ length: 10 }, () => prepareDownload(library, media)))
    all.push(await prepareDownload(library, media))
    assert.equal(new Set(all.map(({ key }) => key)).size, 1)
    assert.deepEqual([library.exiftool.written, await copies()], [1, [all[0]!.key]])
  })

  test('is made of the version that was read, also when the file is edited while it is made', async () => {
    const { library, read, edit, content } = await setUp()
    const before = await read()
    library.exiftool.before = async () => {
      library.exiftool.before = async () => undefined
      await edit({ title: { en: 'Ships' } })
    }
    const old = await prepareDownload(library, before)
    const fresh = await prepareDownload(library, await read())
    assert.equal(await content(old.key), `${ORIGINAL} with {"title":"Boats"}`)
    assert.equal(await content(fresh.key), `${ORIGINAL} with {"title":"Ships"}`)
  })

  test('is the original where the file can not be written, which is tried again after a day', async () => {
    const { library, read, copies } = await setUp()
    const media = await read()
    library.exiftool.before = async () => {
      throw new ToolFailed('not a JPEG')
    }
    const unwritten = { key: objectKeys.original(media), bytes: ORIGINAL.length, crc32: 17, metadataWritten: false }
    assert.deepEqual(await prepareDownload(library, media), unwritten)
    assert.deepEqual(await prepareDownload(library, media), unwritten)
    assert.deepEqual(await readyDeliverables(library, [media]), [unwritten])
    assert.deepEqual([library.exiftool.written, await copies()], [1, []])
    library.exiftool.before = async () => undefined
    library.clock.advance(DAY)
    assert.deepEqual(await readyDeliverables(library, [media]), [undefined])
    assert.equal((await prepareDownload(library, media)).metadataWritten, true)
  })

  test('is the original of a file too large for any tool, which is said', async () => {
    const { library, read } = await setUp()
    const media = { ...(await read()), bytes: 2 * 1024 ** 3 + 1 }
    assert.deepEqual(await prepareDownload(library, media), {
      key: objectKeys.original(media),
      bytes: media.bytes,
      crc32: 17,
      metadataWritten: false,
    })
  })

  test.each([
    ['a tool that is missing', () => new ToolUnavailable('no perl')],
    ['storage that does not answer', () => new ObjectsUnavailable('timeout')],
  ])('fails with %s, leaves nothing, and is made by the next who asks', async (_, failure) => {
    const { library, read, copies } = await setUp()
    library.exiftool.before = async () => {
      throw failure()
    }
    await assert.rejects(prepareDownload(library, await read()), failure().constructor as typeof Error)
    assert.deepEqual([await downloadsOf(library, FILE), await copies()], [[], []])
    library.exiftool.before = async () => undefined
    assert.equal((await prepareDownload(library, await read())).metadataWritten, true)
  })
})

describe('a maker that crashes', () => {
  /** A process that stopped in the middle, and would store its copy later. */
  async function crashed({ library, read }: Test) {
    const stopped = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const exiftool = writer()
    exiftool.before = () => {
      reached.resolve()
      return stopped.promise
    }
    const making = prepareDownload({ ...library, exiftool }, await read())
    await reached.promise
    library.clock.advance(CLAIM_MS / 1000 + 1)
    return { goOn: stopped.resolve, making }
  }

  test('is followed by the next who asks, and its own copy is removed should it come back', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    const { goOn, making } = await crashed(all)
    const deliverable = await prepareDownload(library, await read())
    goOn()
    assert.deepEqual(await making, deliverable)
    assert.deepEqual(await copies(), [deliverable.key])
  })

  test('three times makes the file one that is delivered as it is', async () => {
    const all = await setUp()
    const { library, read } = all
    const attempts = [await crashed(all), await crashed(all), await crashed(all)]
    const deliverable = await prepareDownload(library, await read())
    assert.deepEqual([deliverable.metadataWritten, library.exiftool.written], [false, 0])
    for (const { goOn } of attempts) goOn()
    assert.deepEqual(await Promise.all(attempts.map(({ making }) => making)), [deliverable, deliverable, deliverable])
    assert.deepEqual(await all.copies(), [])
    library.clock.advance(DAY)
    assert.equal((await prepareDownload(library, await read())).metadataWritten, true, 'it is tried again after a day')
  })

  test('leaves nothing when nobody asks again', async () => {
    const all = await setUp()
    await crashed(all)
    all.library.clock.advance(DAY)
    await expireDownloads(all.library, never)
    assert.deepEqual(await downloadsOf(all.library, FILE), [])
  })
})

describe('a file that is removed', () => {
  test('takes along what is prepared of it', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    await prepareDownload(library, await read())
    await remove(all)
    await removeDownloadsOf(library, FILE)
    assert.deepEqual([await downloadsOf(library, FILE), await copies()], [[], []])
  })

  test('while its copy is made is not found, and leaves nothing', async () => {
    const all = await setUp()
    const { library, read, copies } = all
    library.exiftool.before = () => remove(all)
    await assert.rejects(prepareDownload(library, await read()), NotFound)
    assert.deepEqual(await copies(), [])
    library.clock.advance(DAY)
    await expireDownloads(library, never)
    assert.deepEqual(await downloadsOf(library, FILE), [])
  })

  test('before its copy is made is not found, and leaves nothing', async () => {
    const all = await setUp()
    const media = await all.read()
    await remove(all)
    await assert.rejects(prepareDownload(all.library, media), NotFound)
    assert.deepEqual([await downloadsOf(all.library, FILE), await all.copies()], [[], []])
  })
})

describe('what is prepared', () => {
  test('goes after a week in which nobody fetched it, and is made anew', async () => {
    const { library, read, copies } = await setUp()
    const first = await prepareDownload(library, await read())
    library.clock.advance(7 * DAY - 1)
    await expireDownloads(library, never)
    assert.deepEqual(await copies(), [first.key])
    library.clock.advance(1)
    await expireDownloads(library, never)
    await expireDownloads(library, never)
    assert.deepEqual([await downloadsOf(library, FILE), await copies()], [[], []])
    assert.equal((await prepareDownload(library, await read())).metadataWritten, true)
  })

  test('stays for another week when it is used in its last day, by whoever prepares it', async () => {
    const { library, read, copies } = await setUp()
    const media = await read()
    const first = await prepareDownload(library, media)
    library.clock.advance(6 * DAY + 1)
    assert.deepEqual(await readyDeliverables(library, [media]), [undefined], 'its end is too near for a job')
    assert.deepEqual(await prepareDownload(library, media), first)
    assert.deepEqual(await readyDeliverables(library, [media]), [first])
    library.clock.advance(6 * DAY)
    await expireDownloads(library, never)
    assert.deepEqual([await copies(), library.exiftool.written], [[first.key], 1])
  })

  test('is never offered and gone, when its use and its end come together', async () => {
    const { library, read } = await setUp()
    const media = await read()
    for (let round = 0; round < 20; round++) {
      await prepareDownload(library, media)
      library.clock.advance(7 * DAY)
      const uses = Array.from({ length: 3 }, () => prepareDownload(library, media))
      const [first, ...others] = await Promise.all([expireDownloads(library, never).then(() => prepareDownload(library, media)), ...uses])
      for (const { key } of [first, ...others]) assert.ok(await library.media.head(key), key)
    }
  })

  test('of older versions goes when a newer one is prepared, once their URLs have ended', async () => {
    const { library, read, edit, copies } = await setUp()
    const before = await read()
    const old = await prepareDownload(library, before)
    const fresh = await prepareDownload(library, await edit({ title: { en: 'Ships' } }))
    library.clock.advance(9 * MINUTE)
    await expireDownloads(library, never)
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort())
    assert.deepEqual(await prepareDownload(library, before), old, 'a request that read the older version')
    library.clock.advance(9 * MINUTE)
    await expireDownloads(library, never)
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort(), 'it was used')
    library.clock.advance(2 * MINUTE)
    await expireDownloads(library, never)
    assert.deepEqual(await copies(), [fresh.key])
  })
})

describe('what is delivered for a size', () => {
  const rendition = (mime: string) => ({ key: '101/1/renditions/8x6', mime, width: 8, height: 6, bytes: 4 })

  test('carries what the library knows where it is a JPEG, and lacks nothing that it never had', async () => {
    const { library, edit, content } = await setUp()
    await library.media.put('101/1/renditions/8x6', Buffer.from('tiny'), { contentType: 'image/jpeg' })
    const media = await edit({ keywords: {} })
    const { key } = await prepareRendition(library, media, rendition('image/jpeg'))
    assert.equal(await content(key), 'tiny with {"title":"Boats"}')
    const plain = await edit({ title: {} })
    assert.equal((await prepareRendition(library, plain, rendition('image/jpeg'))).key, '101/1/renditions/8x6')
  })

  test('is the rendition itself where it is a PNG', async () => {
    const { library, read } = await setUp()
    const prepared = await prepareRendition(library, await read(), rendition('image/png'))
    assert.deepEqual(prepared, { key: '101/1/renditions/8x6', metadataWritten: true })
  })
})

test('many originals are looked up in the order given, ready ones and others', async () => {
  const { library, read, edit } = await setUp()
  const before = await read()
  const old = await prepareDownload(library, before)
  const edited = await edit({ title: { en: 'Ships' } })
  const text = { ...before, mime: 'text/plain' }
  const unchanged = { key: objectKeys.original(before), bytes: ORIGINAL.length, crc32: 17, metadataWritten: true }
  assert.deepEqual(await readyDeliverables(library, [edited, before, text, before]), [undefined, old, unchanged, old])
  assert.deepEqual(await readyDeliverables(library, []), [])
  assert.ok(await library.table.get(mediaKey(FILE)))
})
