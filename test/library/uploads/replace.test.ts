import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import type { PartUploads } from '../../../shared/backends/objects/port.ts'
import type { UserCaller } from '../../../shared/library/access/caller.ts'
import { LibraryError, QuotaExceeded } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { editOne } from '../../../shared/library/media/edit.ts'
import { replacements } from '../../../shared/library/media/files.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { heldIn } from '../../../shared/library/quota/held-files.ts'
import { setQuota } from '../../../shared/library/quota/quota.ts'
import { compareUpload } from '../../../shared/library/uploads/compare.ts'
import { finishForm, finishParts } from '../../../shared/library/uploads/finish.ts'
import { compareJob } from '../../../shared/library/uploads/part-upload.ts'
import { beginPartUpload, readPartUpload } from '../../../shared/library/uploads/part-uploads.ts'
import { sweepUploads } from '../../../shared/library/uploads/sweep.ts'
import { objectPrefix, registerUpload } from '../../../shared/library/uploads/uploads.ts'
import { reservedIn } from '../../../shared/library/usage/reservations.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { openTestCompany, requestOf } from '../../support/library.ts'
import { images } from '../../support/pictures/index.ts'
import { quickInspection } from '../../support/quick-inspection.ts'

/** A picture that differs from others by its last byte. */
const picture = async (n: number) => Buffer.concat([await images['plain.jpg'](), Buffer.from([n])])
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const refused = (code: string) => (error: unknown) => error instanceof LibraryError && error.code === code
const never = () => false
const labels = { contentType: 'application/octet-stream' }

/** A company with a picture, or another first file. */
async function setUp(first?: Buffer) {
  const stores = { ...(await openImportStores()), ...(await quickInspection()) }
  const { table, uploads, clock } = stores
  const partUploads = Object.assign(uploads, embeddedPartRequests({ partsUrl: 'http://library/parts', secrets: async () => ['secret'] }))
  const library = { ...stores, partUploads }
  const { admin, user, companyId } = await openTestCompany(library)
  const { folderId } = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
  const request = { requestId: 'request', sourceAddress: '192.0.2.1' }
  const finish = (uploadId: string, ports: Partial<typeof library> = {}) =>
    finishForm({ ...library, ...request, ...ports }, uploadId, undefined)
  const post = async (uploadId: string, bytes: Buffer, filename = 'new.jpg') => {
    await uploads.put(`${objectPrefix(uploadId)}${filename}`, bytes, labels)
    return uploadId
  }
  const begun = await registerUpload(requestOf(library, admin), { folderId }, {})
  const { mediaId } = await finish(await post(begun.uploadId, first ?? (await picture(0))))
  await importMedia(library, mediaId)
  const said = (how: { comment?: string; ifVersion?: number } = {}) => ({ replaces: mediaId, ...how })
  const register = async (how?: Parameters<typeof said>[0], caller: UserCaller = admin) =>
    (await registerUpload(requestOf(library, caller), said(how), {})).uploadId
  const begin = async (bytes: Buffer, how?: Parameters<typeof said>[0], caller: UserCaller = admin, md5?: string) => {
    const file = { filename: 'parts.jpg', bytes: bytes.length, md5 }
    const { uploadId, parts } = await beginPartUpload(requestOf(library, caller), said(how), file, 1e9)
    async function* body() {
      yield bytes
    }
    await uploads.receivePart({ upload: parts, number: 1, bytes: bytes.length, body: body() })
    return uploadId
  }
  return {
    ...{ library, table, clock, uploads, partUploads, admin, user, companyId, folderId, mediaId, post, finish, register, begin },
    /** Registers and posts a form. */
    form: async (bytes: Buffer, how?: Parameters<typeof said>[0], caller?: UserCaller) => post(await register(how, caller), bytes),
    complete: (uploadId: string, ports: Partial<typeof library> = {}, caller: UserCaller = admin) =>
      finishParts(requestOf({ ...library, ...ports }, caller), uploadId, undefined),
    read: async () => (await getMedia(library, mediaId)) as AvailableMedia,
    waiting: async () => (await replacements(library, mediaId)).reverse(),
    left: async () => (await uploads.list('')).objects.map(({ key }) => key),
    open: async () => (await table.get({ pk: `USER#${admin.user.userId}`, sk: 'OPEN-UPLOADS' }))?.open ?? 0,
    grant: (rights: ('READ' | 'WRITE')[]) => setGrants(library, folderId, user.user.userId, () => rights),
  }
}

type World = Awaited<ReturnType<typeof setUp>>

/** The two ways to send the next version of a file. */
const ways: readonly [
  string,
  (world: World, bytes: Buffer, how?: { ifVersion?: number; comment?: string }) => Promise<() => ReturnType<World['finish']>>,
][] = [
  [
    'a form',
    async ({ form, finish }, bytes, how) =>
      (
        (id) => () =>
          finish(id)
      )(await form(bytes, how)),
  ],
  [
    'parts',
    async ({ begin, complete }, bytes, how) =>
      (
        (id) => () =>
          complete(id)
      )(await begin(bytes, how)),
  ],
]

describe.each(ways)('a file that is replaced by %s', (_, send) => {
  test('waits for its import, and the upload is that file, however often it is finished', async () => {
    const world = await setUp()
    const { mediaId, admin, waiting, left, library, clock, uploads, open, read } = world
    const finish = await send(world, await picture(1), { comment: 'Brighter', ifVersion: 1 })
    const [one, other] = await Promise.all([finish(), finish()])
    assert.deepEqual([one, other, await finish()], [{ ...one, mediaId }, one, one])
    const [replacement, ...others] = await waiting()
    assert.deepEqual(others, [])
    assert.deepEqual([replacement?.comment, replacement?.uploadedBy, replacement?.by.kind], ['Brighter', admin.user.userId, 'user'])
    assert.notEqual(await getJob(library, `import-media.${mediaId}`), undefined)
    clock.advance(300 * 86_400)
    await sweepUploads({ ...library, uploads }, never)
    assert.deepEqual(await left(), [replacement?.uploadKey])
    assert.equal(await open(), 0)
    while (await importMedia(library, mediaId)) {}
    const { fileNumber, md5, version, comment } = await read()
    assert.deepEqual(
      { fileNumber, md5, version, comment },
      { fileNumber: 2, md5: md5Of(await picture(1)), version: 2, comment: 'Brighter' },
    )
    assert.deepEqual(await left(), [])
  })

  test('with the bytes that it has stays as it is, and says so again', async () => {
    const world = await setUp()
    const { mediaId, waiting, left, open, companyId, library } = world
    await setQuota(library, companyId, 1e6)
    const finish = await send(world, await picture(0))
    const answers = [await finish(), await finish()]
    for (const { mediaId: same, unchanged } of answers) assert.deepEqual({ same, unchanged }, { same: mediaId, unchanged: true })
    assert.deepEqual([await waiting(), await left(), await open(), await reservedIn(library, companyId)], [[], [], 0, 0])
  })

  test('with the bytes that it has gets them back after others that wait', async () => {
    const world = await setUp()
    const { library, mediaId, read } = world
    for (const n of [1, 0]) await (await send(world, await picture(n)))()
    while (await importMedia(library, mediaId)) {}
    const { md5, fileNumber } = await read()
    assert.deepEqual([md5, fileNumber], [md5Of(await picture(0)), 3])
  })

  test('takes what can not be decoded, and nothing of another type', async () => {
    const world = await setUp()
    const { waiting, left, open } = world
    await (await send(world, (await picture(0)).subarray(0, 200)))()
    for (const other of [Buffer.from('text'), Buffer.alloc(0), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]) {
      const finish = await send(world, other)
      await assert.rejects(finish(), refused('media_type_differs'))
      await assert.rejects(
        finish(),
        (error) => error instanceof LibraryError && ['upload_not_found', 'upload_expired'].includes(error.code),
      )
    }
    const [broken, ...others] = await waiting()
    assert.deepEqual([others, await left(), await open()], [[], [broken?.uploadKey], 0])
  })

  test('of no type takes no bytes at all', async () => {
    const world = await setUp(Buffer.from([1, 2, 3]))
    await (await send(world, Buffer.alloc(0)))()
    assert.deepEqual(
      (await world.waiting()).map(({ bytes }) => bytes),
      [0],
    )
  })

  test('needs the version that was said, when it ends', async () => {
    const world = await setUp()
    const { library, admin, mediaId, left, waiting, open } = world
    const finish = await send(world, await picture(1), { ifVersion: 1 })
    await editOne(requestOf(library, admin), mediaId, () => ({ title: { en: 'Edited' } }))
    await assert.rejects(finish(), refused('version_mismatch'))
    assert.deepEqual([await waiting(), await left(), await open()], [[], [], 0])
  })

  test('may be deleted meanwhile', async () => {
    const world = await setUp()
    const { library, mediaId, left, waiting, open } = world
    const finish = await send(world, await picture(1))
    await changePointers({ ...library, by: { kind: 'operator', command: 'test' } }, mediaId, () => new Map())
    await assert.rejects(finish(), refused('media_not_found'))
    assert.deepEqual([await waiting(), await left(), await open()], [[], [], 0])
  })

  test('is never held for a quota', async () => {
    const world = await setUp()
    const { library, companyId, left, waiting, open, read } = world
    const finish = await send(world, await picture(1))
    await setQuota(library, companyId, (await read()).bytes + 1)
    await assert.rejects(finish(), (error) => error instanceof QuotaExceeded && error.details.held_until === undefined)
    assert.deepEqual([await heldIn(library, companyId), await waiting(), await left(), await open()], [[], [], [], 0])
    assert.equal(await reservedIn(library, companyId), 0)
  })

  test('is replaced once, wherever finishing crashes', async () => {
    for (let calls = 0; ; calls++) {
      const world = await setUp()
      const { finish, complete, form, begin, waiting, table, uploads, partUploads, mediaId, left } = world
      const isForm = send === ways[0]![1]
      const uploadId = await (isForm ? form : begin)(await picture(1))
      const end = isForm ? finish : complete
      const ports = { table: cutOffAfter(calls, table), uploads: cutOffAfter(calls, uploads), partUploads: cutOffAfter(calls, partUploads) }
      const crashed = await end(uploadId, ports as object).then(
        () => false,
        () => true,
      )
      assert.equal((await end(uploadId)).mediaId, mediaId)
      assert.deepEqual(
        (await waiting()).map(({ uploadKey }) => uploadKey),
        await left(),
      )
      assert.equal((await left()).length, 1)
      if (!crashed) break
    }
  })
})

describe('replacing a file', () => {
  test('needs WRITE at the start and at the end', async () => {
    const { grant, user, register, form, begin, finish, complete, left, waiting } = await setUp()
    await assert.rejects(register({}, user), refused('media_not_found'))
    await grant(['READ'])
    await assert.rejects(register({}, user), refused('forbidden'))
    await grant(['READ', 'WRITE'])
    const [posted, inParts] = [await form(await picture(1), {}, user), await begin(await picture(2), {}, user)]
    await grant(['READ'])
    await assert.rejects(finish(posted), refused('forbidden'))
    await assert.rejects(complete(inParts, {}, user), refused('forbidden'))
    assert.deepEqual([await left(), await waiting()], [[], []])
  })

  test('is refused for what happens to the file right before it is noted', async () => {
    for (const [code, how, meanwhile] of [
      [
        'version_mismatch',
        { ifVersion: 1 },
        ({ library, admin, mediaId }: World) => editOne(requestOf(library, admin), mediaId, () => ({ title: { en: 'Edited' } })),
      ],
      ['media_not_found', {}, ({ library, mediaId }: World) => changePointers({ ...library, by: library.by }, mediaId, () => new Map())],
    ] as const) {
      const world = await setUp()
      const { form, finish, table, waiting, left } = world
      const uploadId = await form(await picture(1), how)
      let isFirst = true
      const overtaken = beforeTransactions(table, async () => {
        if (isFirst) await meanwhile(world)
        isFirst = false
      })
      await assert.rejects(finish(uploadId, { table: overtaken } as object), refused(code))
      assert.deepEqual([await waiting(), await left()], [[], []])
    }
  })

  test('thirty times at once loses none, and those that follow each other keep their order where the clock goes back', async () => {
    const { form, finish, waiting, clock } = await setUp()
    const ids = await Promise.all(Array.from({ length: 30 }, async (_, n) => form(await picture(n + 1))))
    await Promise.all(ids.map((id) => finish(id)))
    const keys = async () => (await waiting()).map(({ uploadKey }) => uploadKey)
    assert.deepEqual((await keys()).sort(), ids.map((id) => `${objectPrefix(id)}new.jpg`).sort())
    clock.advance(-3_600)
    const last = await form(await picture(31))
    await finish(last)
    assert.equal((await keys()).at(-1), `${objectPrefix(last)}new.jpg`)
  })

  test('in parts whose MD5 a job compares ends with the job, or with what it was refused for', async () => {
    const { library, begin, complete, mediaId, waiting, left, partUploads, table, admin } = await setUp()
    const large = Object.assign(partUploads, { maxComparedBytes: 9 })
    const compare = async (uploadId: string, ports: { partUploads?: PartUploads } = {}) => {
      assert.ok(await compareJob.find({ table }, uploadId))
      return compareUpload({ ...library, partUploads: large, ...ports }, uploadId, { kind: 'operator', command: 'test' })
    }
    const begun = async (bytes: Buffer) => {
      const uploadId = await begin(bytes, {}, admin, md5Of(bytes))
      await assert.rejects(complete(uploadId), refused('upload_finalizing'))
      return uploadId
    }
    const [same, next, other] = [await begun(await picture(0)), await begun(await picture(1)), await begun(Buffer.from('text of a type'))]
    for (const uploadId of [same, next, other]) await compare(uploadId)
    assert.deepEqual(await complete(next), { mediaId })
    assert.deepEqual(await complete(same), { mediaId, unchanged: true })
    await assert.rejects(complete(other), refused('media_type_differs'))
    await assert.rejects(readPartUpload(requestOf(library, admin), other), refused('upload_expired'))
    assert.deepEqual(
      (await waiting()).map(({ uploadKey }) => uploadKey),
      await left(),
    )
    assert.equal((await left()).length, 1)
  })

  test('leaves what is too large for a request to read to the import', async () => {
    const { begin, complete, partUploads, mediaId, waiting } = await setUp()
    Object.assign(partUploads, { maxComparedBytes: 9 })
    assert.deepEqual(await complete(await begin(await picture(0))), { mediaId })
    assert.equal((await waiting()).length, 1)
  })
})
