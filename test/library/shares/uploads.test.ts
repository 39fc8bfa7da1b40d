import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { expireUpload } from '../../../functions/jobs/expire-upload.ts'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { quotaOf, setQuota } from '../../../shared/library/quota/quota.ts'
import { changeShare, createShare, removeShare, renewSecret, type ShareTerms } from '../../../shared/library/shares/manage.ts'
import { countsKey, type ShareCounts } from '../../../shared/library/shares/share.ts'
import { reservationsOf, type ShareLimits } from '../../../shared/library/shares/upload-reservations.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { compareUpload } from '../../../shared/library/uploads/compare.ts'
import { completePartUpload } from '../../../shared/library/uploads/complete-parts.ts'
import { endSharedUploads } from '../../../shared/library/uploads/ending.ts'
import { finalizeHeld } from '../../../shared/library/uploads/finalize-held.ts'
import type { PartUploadRecord } from '../../../shared/library/uploads/part-upload.ts'
import { abortPartUpload, beginPartUpload, readPartUpload, sharedPartRequests } from '../../../shared/library/uploads/part-uploads.ts'
import { finalizeUpload, objectPrefix, registerUpload, type UploadRecord, uploadKey } from '../../../shared/library/uploads/uploads.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { sealing } from '../../support/sealing.ts'

const [HOUR, DAY] = [3_600, 86_400]
const PART = 8 * 1024 ** 2
const never = () => false
const FILES: ShareLimits = { shareMaxFiles: 2, shareMaxBytes: 1_000 }
const BYTES: ShareLimits = { shareMaxFiles: 100, shareMaxBytes: 100 }

async function setUp(limits: ShareLimits = { shareMaxFiles: 100, shareMaxBytes: 1_000 }) {
  const { table, clock } = openTestTable()
  const uploads = openTestObjects(clock)
  const partUploads = Object.assign(uploads, embeddedPartRequests({ partsUrl: 'http://library/parts', secrets: async () => ['secret'] }))
  const library = { table, clock, by, uploads, partUploads }
  const { admin, companyId } = await openTestCompany(library)
  const maker = {
    ...requestOf(library, admin),
    by: { kind: 'user', userId: admin.user.userId, requestId: 'r' },
    sourceAddress: '::1',
    ...sealing,
  } as const
  const { folderId } = await createFolder(maker, { name: 'Inbox', parent: null })
  const { secret, share } = await createShare(maker, { folderId }, { upload: true })
  const { shareId } = share
  const opened = async (sourceAddress = '192.0.2.1') => ({ ...(await openShare(library, secret)).share, limits, sourceAddress })
  const visitor = async (sourceAddress = '192.0.2.1') => {
    const { access } = await openShare(library, secret)
    const visiting = { kind: 'user', userId: admin.user.userId, shareId, requestId: 'r' } as const
    return { ...library, access, by: visiting, limits, sending: { limits, sourceAddress } }
  }
  const begin = async (bytes: number, address?: string) =>
    beginPartUpload(await visitor(address), { folderId }, { filename: 'a.bin', bytes }, 100 * PART)
  const urls = async ({ uploadId }: Awaited<ReturnType<typeof begin>>, parts = [1]) => sharedPartRequests(await visitor(), uploadId, parts)
  const put = async ({ parts }: Awaited<ReturnType<typeof begin>>) => {
    async function* body() {
      yield Buffer.alloc(parts.bytes)
    }
    await uploads.receivePart({ upload: parts, number: 1, bytes: parts.bytes, body: body() })
  }
  const begun = async (bytes: number) => {
    const upload = await begin(bytes)
    await urls(upload)
    await put(upload)
    return upload.uploadId
  }
  const complete = async (uploadId: string) => completePartUpload(await visitor(), uploadId, undefined)
  const register = async (address?: string) => registerUpload(await visitor(), { folderId }, { share: await opened(address) })
  const post = async (bytes: number) => {
    const { uploadId } = await register()
    await uploads.put(`${objectPrefix(uploadId)}b.bin`, Buffer.alloc(bytes), { contentType: 'application/octet-stream' })
    return uploadId
  }
  return {
    ...{ table, clock, library, maker, companyId, folderId, shareId, visitor, begin, urls, put, begun, complete, register, post },
    endUploads: () => endSharedUploads(library, shareId, never),
    sweep: () => runDueJobs(library, expireUpload),
    reserved: async () => (await quotaOf(library, companyId))?.reservedBytes,
    room: async () => (await reservationsOf(library, shareId)).map(({ bytes }) => bytes).toSorted((a, b) => a - b),
    change: (terms: ShareTerms) => changeShare(maker, shareId, terms),
    finalize: async (uploadId: string) =>
      finalizeUpload({ ...library, requestId: 'r', sourceAddress: '::1', share: await opened() }, uploadId, undefined),
    counts: async () => (await table.get<ShareCounts>(countsKey(shareId)))!,
  }
}

const full = { code: 'share_full' }

describe('what is sent by a share link', () => {
  test('never is more files than the limit, however many come at a time', async () => {
    const { begin, register, complete, put, counts } = await setUp(FILES)
    const addresses = Array.from({ length: 6 }, (_, index) => `198.51.100.${index}`)
    const answers = await Promise.allSettled([...addresses.map((each) => begin(1, each)), ...addresses.map(register)])
    const taken = answers.filter(({ status }) => status === 'fulfilled')
    assert.equal(taken.length, 2)
    for (const answer of answers) if (answer.status === 'rejected') assert.equal(answer.reason.code, 'share_full')
    for (const answer of taken) {
      if (answer.status !== 'fulfilled' || !('parts' in answer.value)) continue
      await put(answer.value)
      await complete(answer.value.uploadId)
    }
    await assert.rejects(begin(1), full)
    assert.ok((await counts()).uploads <= 2)
  })

  test('never is more bytes than the limit, in parts and by forms', async () => {
    const { begin, urls, begun, complete, post, register, finalize } = await setUp(BYTES)
    await assert.rejects(begin(101), { code: 'too_large' })
    await complete(await begun(60))
    const uploads = await Promise.all([begin(40), begin(40), begin(40)])
    await assert.rejects(begin(41), full)
    const answers = await Promise.allSettled(uploads.map((each) => urls(each)))
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await register()).maxBytes, 0)
    await assert.rejects(finalize(await post(1)), full)
    await assert.rejects(finalize(await post(101)), { code: 'too_large' })
    await finalize(await post(0))
  })

  test('gives its room back where it is given up, or never ends', async () => {
    const { begin, register, visitor, clock, sweep } = await setUp(FILES)
    const [one, other, third] = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
    const { uploadId } = await begin(1, one)
    await register(other)
    await assert.rejects(begin(1, third), full)
    await abortPartUpload(await visitor(), uploadId)
    const left = await begin(1, third)
    await assert.rejects(begin(1, one), full)
    clock.advance(DAY)
    await Promise.all([begin(1, one), register(other)])
    await sweep()
    await assert.rejects(readPartUpload(await visitor(), left.uploadId), { code: 'upload_expired' })
  })

  test('has room of link and quota for what has arrived, and may arrive by URLs that are good, for a day', async () => {
    const { begin, urls, library, companyId, reserved, room, put, clock, sweep, complete } = await setUp({
      shareMaxFiles: 100,
      shareMaxBytes: 100 * PART,
    })
    await setQuota(library, companyId, 10 * PART)
    const silent = await begin(10 * PART)
    assert.deepEqual([await reserved(), await room()], [0, [0]])
    await urls(silent, [1, 2, 2])
    await urls(silent, [1])
    // The same part twice in a call is one. Another call counts once more: nothing has arrived of the first.
    assert.deepEqual([await reserved(), await room()], [3 * PART, [3 * PART]])
    const small = await begin(5)
    await urls(small)
    await urls(small)
    await put(small)
    assert.deepEqual(await room(), [5, 3 * PART])
    clock.advance(HOUR + 1)
    await sweep()
    assert.deepEqual([await reserved(), await room()], [5, [0, 5]])
    await sweep()
    await complete(small.uploadId)
    clock.advance(DAY)
    assert.deepEqual([await reserved(), await room()], [5, []])
  })

  test('lets one source have half under way of what a link or a company takes, until it arrives', async () => {
    const { begin, urls, library, companyId, register, put } = await setUp({ shareMaxFiles: 8, shareMaxBytes: 100 * PART })
    await setQuota(library, companyId, 6 * PART)
    const [silent, small] = [await begin(6 * PART), await begin(5)]
    await urls(small)
    await urls(silent, [1, 2])
    await urls(silent, [3])
    await assert.rejects(urls(silent, [4]), full)
    await assert.rejects(urls(await begin(1)), full)
    // What is no more than was handed out is handed out again.
    await urls(small)
    const [elsewhere, beside] = ['2001:db8:1:2::3', '2001:db8:1:2::4']
    const other = await begin(5, elsewhere)
    await urls(other)
    await put(other)
    await register()
    await assert.rejects(register(), full)
    for (let more = 1; more < 4; more++) await register(more % 2 ? elsewhere : beside)
    await assert.rejects(register(beside), full)
  })

  test('lets one source have half of the room that a company has left, however large its quota is', async () => {
    const { begin, urls, library, companyId, maker, folderId } = await setUp({ shareMaxFiles: 100, shareMaxBytes: 100 * PART })
    await setQuota(library, companyId, 20 * PART)
    await beginPartUpload(maker, { folderId }, { filename: 'ours.bin', bytes: 16 * PART }, 100 * PART)
    const silent = await begin(4 * PART)
    await urls(silent, [1])
    await urls(silent, [2])
    await assert.rejects(urls(silent, [3]), full)
  })

  test('ends with the link: it is removed, closed, has expired or another address', async () => {
    const ends: ((set: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>)[] = [
      ({ maker, shareId }) => removeShare(maker, shareId),
      ({ maker, shareId }) => renewSecret(maker, shareId),
      ({ change }) => change({ upload: false }),
      async ({ change, clock }) => {
        await change({ expires: clock.now() + 5_000 })
        clock.advance(5)
      },
    ]
    for (const [index, end] of ends.entries()) {
      const set = await setUp()
      await setQuota(set.library, set.companyId, 1_000)
      const [parts, form] = [await set.begun(5), await set.post(5)]
      assert.equal(await set.reserved(), 5)
      await end(set)
      if (index < 3) assert.notEqual(await getJob(set.library, `finish-removal.share-${set.shareId}`), undefined)
      await set.endUploads()
      assert.deepEqual([await set.reserved(), await set.room()], [0, []])
      for (const id of [parts, form]) {
        const { hasEnded, expires } = (await set.table.get<UploadRecord>(uploadKey(id)))!
        assert.deepEqual([hasEnded, expires], [true, Math.floor(set.clock.now() / 1000)])
      }
      await assert.rejects(set.library.partUploads.receivedParts((await set.table.get<PartUploadRecord>(uploadKey(parts)))!.parts))
      // The maker opens it again: what has ended stays so.
      if (index < 2) continue
      await set.change({ upload: true, expires: null })
      await assert.rejects(set.complete(parts), { code: 'upload_expired' })
      await assert.rejects(set.finalize(form), { code: 'upload_not_found' })
    }
  })

  test('has no room in the quota from the second on in which its link expires, and what is open goes on with another end', async () => {
    const { change, clock, begun, reserved, library, companyId, endUploads, complete } = await setUp()
    await setQuota(library, companyId, 1_000)
    const parts = await begun(5)
    await change({ expires: clock.now() + 60_000 })
    await endUploads()
    assert.equal(await reserved(), 5)
    clock.advance(61)
    assert.equal(await reserved(), 0)
    await change({ expires: clock.now() + 60_000 })
    await complete(parts)
    assert.equal(await reserved(), 5)
  })

  test('becomes no file once the link has ended, takes none any more, or its maker may not send any', async () => {
    const ends: ((set: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>)[] = [
      async ({ change, clock }) => {
        await change({ expires: clock.now() + 1_000 })
        clock.advance(1)
      },
      ({ maker, shareId }) => removeShare(maker, shareId),
      ({ change }) => change({ upload: false }),
      ({ maker, folderId }) => trashFolder(maker, folderId),
    ]
    for (const end of ends) {
      const set = await setUp()
      const [parts, compared, form] = [await set.begun(5), await set.begun(5), await set.post(5)]
      const visitor = await set.visitor()
      await set.table.update(uploadKey(compared), { set: { isFinalizing: true, comparing: 'd41d8cd98f00b204e9800998ecf8427e' } })
      await end(set)
      const refused = { code: /^(share_not_found|forbidden|folder_not_found)$/ }
      await assert.rejects(set.finalize(form), refused)
      await assert.rejects(set.complete(parts), refused)
      // Also of a request that was let in before.
      await assert.rejects(completePartUpload(visitor, parts, undefined), (error: Error & { code: string }) =>
        refused.code.test(error.code),
      )
      await compareUpload(set.library, compared, by)
      for (const id of [parts, compared, form]) {
        assert.equal((await set.table.get<{ pk: string; sk: string; mediaId?: number }>(uploadKey(id)))?.mediaId, undefined)
      }
    }
  })

  test('waits for room in the quota of the company, and becomes no file there either once the link has ended', async () => {
    const { begin, begun, complete, post, finalize, library, companyId, counts, change, clock } = await setUp()
    const [parts, form, late] = [await begun(5), await post(5), await post(5)]
    await setQuota(library, companyId, 1)
    await assert.rejects(begin(5), { code: 'quota_exceeded' })
    await assert.rejects(complete(parts), { code: 'quota_exceeded' })
    await assert.rejects(finalize(form), { code: 'quota_exceeded' })
    await setQuota(library, companyId, 100)
    assert.equal(await finalizeHeld(library, companyId, never), false)
    assert.equal((await counts()).uploads, 2)
    await setQuota(library, companyId, 1)
    await assert.rejects(finalize(late), { code: 'quota_exceeded' })
    await change({ expires: clock.now() + 1_000 })
    clock.advance(1)
    await setQuota(library, companyId, 100)
    assert.equal(await finalizeHeld(library, companyId, never), false)
    assert.equal((await counts()).uploads, 2)
  })
})
