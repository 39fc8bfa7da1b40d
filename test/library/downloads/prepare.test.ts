import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { describe, test } from 'vitest'
import { CLAIM_MS, downloadsOf, readyDeliverables, supersededJob } from '../../../shared/library/downloads/copy-record.ts'
import { prepareDownload } from '../../../shared/library/downloads/prepare.ts'
import { expireDownloads, removeDownloadsOf, removeSuperseded } from '../../../shared/library/downloads/remove.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { mediaRemoval } from '../../../shared/library/media/changes.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { removeObjects } from '../../../shared/library/media/remove-objects.ts'
import { ToolFailed } from '../../../shared/tools/failure.ts'
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
    const making = prepareDownload({ ...library, clock: library.clock.stopped, exiftool }, await read())
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
})

describe('a file that is removed', () => {
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

  test('of older versions goes when a newer one is prepared, once their URLs have ended', async () => {
    const { library, read, edit, copies } = await setUp()
    const before = await read()
    const old = await prepareDownload(library, before)
    const fresh = await prepareDownload(library, await edit({ title: { en: 'Ships' } }))
    const name = { mediaId: FILE, version: before.version, variant: 'original' } as const
    const job = await supersededJob.find(library, `${FILE}-${before.version}-original`)
    assert.deepEqual([job?.input, job?.notBefore], [name, library.clock.now() + 10 * MINUTE * 1000])
    library.clock.advance(9 * MINUTE)
    assert.deepEqual(await removeSuperseded(library, name), { inSeconds: MINUTE })
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort())
    assert.deepEqual(await prepareDownload(library, before), old, 'a request that read the older version')
    library.clock.advance(9 * MINUTE)
    await removeSuperseded(library, name)
    assert.deepEqual((await copies()).sort(), [old.key, fresh.key].sort(), 'it was used')
    library.clock.advance(2 * MINUTE)
    await removeSuperseded(library, name)
    assert.deepEqual(await copies(), [fresh.key])
  })
})
