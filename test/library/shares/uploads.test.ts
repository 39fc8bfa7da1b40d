import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setQuota } from '../../../shared/library/quota/quota.ts'
import { changeShare, createShare, removeShare, type ShareTerms } from '../../../shared/library/shares/manage.ts'
import type { ShareLimits } from '../../../shared/library/shares/room.ts'
import { countsKey, type ShareCounts } from '../../../shared/library/shares/share.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { compareUpload } from '../../../shared/library/uploads/compare.ts'
import { finalizeHeld } from '../../../shared/library/uploads/held.ts'
import {
  abortPartUpload,
  beginPartUpload,
  completePartUpload,
  expirePartUploads,
  readPartUpload,
} from '../../../shared/library/uploads/part-uploads.ts'
import { finalizeUpload, objectPrefix, registerUpload, uploadKey } from '../../../shared/library/uploads/uploads.ts'
import { by, openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

const DAY = 86_400
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
  } as const
  const { folderId } = await createFolder(maker, { name: 'Inbox', parent: null })
  const { secret, share } = await createShare(maker, { folderId }, { upload: true })
  const { shareId } = share
  const opened = async () => ({ ...(await openShare(library, secret)).share, limits })
  const visitor = async () => {
    const { access } = await openShare(library, secret)
    const visiting = { kind: 'user', userId: admin.user.userId, shareId, requestId: 'r' } as const
    return { ...library, access, by: visiting, limits }
  }
  const begin = async (bytes: number) => beginPartUpload(await visitor(), folderId, { filename: 'a.bin', bytes }, 2_000)
  const put = async ({ parts }: Awaited<ReturnType<typeof begin>>) => {
    async function* body() {
      yield Buffer.alloc(parts.bytes)
    }
    await uploads.receivePart({ upload: parts, number: 1, bytes: parts.bytes, body: body() })
  }
  const begun = async (bytes: number) => {
    const upload = await begin(bytes)
    await put(upload)
    return upload.uploadId
  }
  const complete = async (uploadId: string) => completePartUpload(await visitor(), uploadId, undefined)
  const register = async () => registerUpload(await visitor(), folderId, { share: await opened() })
  const post = async (bytes: number) => {
    const { uploadId } = await register()
    await uploads.put(`${objectPrefix(uploadId)}b.bin`, Buffer.alloc(bytes), { contentType: 'application/octet-stream' })
    return uploadId
  }
  return {
    ...{ table, clock, library, maker, companyId, folderId, shareId, visitor, begin, put, begun, complete, register, post },
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
    const answers = await Promise.allSettled([...Array.from({ length: 6 }, () => begin(1)), ...Array.from({ length: 6 }, register)])
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
    const { begin, begun, complete, post, register, finalize } = await setUp(BYTES)
    await assert.rejects(begin(101), { code: 'too_large' })
    await complete(await begun(60))
    const answers = await Promise.allSettled([begin(40), begin(40), begin(40)])
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await register()).maxBytes, 0)
    await assert.rejects(finalize(await post(1)), full)
    await assert.rejects(finalize(await post(101)), { code: 'too_large' })
    await finalize(await post(0))
  })

  test('gives its room back where it is given up, or never ends', async () => {
    const { begin, register, visitor, clock, table, library } = await setUp(FILES)
    const { uploadId } = await begin(1)
    await register()
    await assert.rejects(begin(1), full)
    await abortPartUpload(await visitor(), uploadId)
    const left = await begin(1)
    await assert.rejects(begin(1), full)
    clock.advance(DAY)
    await begin(1)
    await assert.rejects(register(), full)
    clock.advance(7 * DAY)
    await expirePartUploads({ table, clock, partUploads: library.partUploads }, never)
    await assert.rejects(readPartUpload(await visitor(), left.uploadId), { code: 'upload_expired' })
    await Promise.all([begin(1), register()])
    await assert.rejects(begin(1), full)
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
