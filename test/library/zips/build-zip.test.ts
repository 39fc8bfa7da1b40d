import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { createKey, revokeKey } from '../../../shared/library/accounts/api-keys.ts'
import { deleteFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { copiesJob } from '../../../shared/library/media/copy-job.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { moveMedia, removeMedia } from '../../../shared/library/media/place.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { buildZip } from '../../../shared/library/zips/build-zip.ts'
import { requestZip } from '../../../shared/library/zips/request.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import type { MediaId } from '../../../shared/vocabulary/ids.ts'
import { instead } from '../../support/instead.ts'
import { requestOf } from '../../support/library.ts'
import { always, SMALL_PARTS, setUp } from './set-up.ts'

/** A file whose download is to be prepared. */
const picture = { mime: 'image/jpeg', title: { en: 'Title' } }

describe('a zip of a folder', () => {
  test('has names that every system can unpack, each once', async () => {
    const { folder, file, request, build, contentsOf } = await setUp()
    const top = await folder('Top')
    const names = [
      '../up.txt',
      '/etc/passwd',
      'C:\\a.txt',
      'dots...',
      'CON.txt',
      'Å.txt',
      'Å.txt',
      'a.txt',
      'A.TXT',
      'Inner',
      '..',
      'b?.txt',
    ]
    for (const name of names) await file(top, name, name)
    for (const name of ['Inner', 'aux', '..', 'end. ']) await file(await folder(name, top.folderId), 'file.txt', name)
    const { zip } = await build((await request(top.folderId)).jobId)
    const paths = Object.keys(await contentsOf(zip))
    assert.equal(paths.length, names.length + 4)
    assert.equal(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size, paths.length)
    for (const path of paths) {
      assert.equal(path, path.normalize('NFC'))
      for (const name of path.split('/')) assert.doesNotMatch(name, /[<>:"\\|?*]|^\.\.?$|[. ]$|^(con|aux)(\.|$)/i, path)
    }
  })
})

describe('what changes while a zip is made', () => {
  test('files are listed anew when one is gone by the time it is needed', async () => {
    const { folder, file, request, build, building, media, acting, contentsOf, lines } = await setUp()
    const top = await folder('Top')
    const gone = await file(top, 'gone.txt', 'gone')
    await file(top, 'stays.txt', 'stays')
    const { jobId } = await request(top.folderId)
    let wasRemoved = false
    const slow = instead(media, {
      async storeParts(composition, parts) {
        if (!wasRemoved) {
          wasRemoved = true
          await removeMedia(acting(), gone, top.folderId)
          await media.delete((await media.list('')).objects.map(({ key }) => key).filter((key) => key.includes(`/${gone}/`)))
        }
        return media.storeParts(composition, parts)
      },
    })
    const { zip } = await build(jobId, undefined, { ...building, media: slow })
    assert.deepEqual(await contentsOf(zip), { 'stays.txt': 'stays' })
    assert.equal(zip.listing?.attempt, 2)
    assert.ok(lines.some((line) => line.includes('listed anew')))
  })

  test('a folder that is deleted before the end is not in it', async () => {
    const { folder, file, request, build, building, media, acting, contentsOf } = await setUp()
    const top = await folder('Top')
    const inner = await folder('Inner', top.folderId)
    await file(top, 'a.txt', 'A')
    await file(inner, 'b.txt', 'B')
    const { jobId } = await request(top.folderId)
    let ends = 0
    const slow = instead(media, {
      async completeComposition(composition, expected) {
        ends += 1
        if (ends === 1) await deleteFolder(acting(), inner.folderId)
        return media.completeComposition(composition, expected)
      },
    })
    const { zip } = await build(jobId, undefined, { ...building, media: slow })
    assert.deepEqual(await contentsOf(zip), { 'a.txt': 'A' })
    assert.equal(ends, 2)
  })

  test('a folder that may not be read any more at the end is not in it, though it leads to another that is', async () => {
    const { folder, file, request, build, building, media, library, user, contentsOf } = await setUp()
    const top = await folder('Top')
    const below = await folder('Below', top.folderId)
    await file(top, 'a.txt', 'A')
    await file(below, 'b.txt', 'B')
    const grant = ({ folderId }: typeof top, rights: Right[]) => setGrants(library, folderId, user.user.userId, () => rights)
    await grant(top, ['READ'])
    await grant(below, ['READ'])
    const { jobId } = await request(top.folderId, user)
    const slow = instead(media, {
      async completeComposition(composition, expected) {
        await grant(top, [])
        return media.completeComposition(composition, expected)
      },
    })
    const { zip } = await build(jobId, undefined, { ...building, media: slow })
    assert.deepEqual(await contentsOf(zip), { 'Below/b.txt': 'B' })
  })

  test('a file that left a folder is not in it, though the index names it there still', async () => {
    const { folder, file, request, build, building, acting, contentsOf, table } = await setUp()
    const [top, other] = [await folder('Top'), await folder('Other')]
    const moved = await file(top, 'moved.txt', 'moved')
    await file(top, 'stays.txt', 'stays')
    const entries: Awaited<ReturnType<typeof table.query>>[] = []
    const lagging = instead(table, {
      async query(query) {
        if (!('index' in query) || query.index !== 'pointersByFolder') return table.query(query)
        if (entries.length === 0) entries.push(await table.query(query))
        return entries[0] as never
      },
    })
    const make = async () => build((await request(top.folderId)).jobId, undefined, { ...building, table: lagging })
    await make()
    await moveMedia(acting(), moved, top.folderId, other.folderId)
    assert.deepEqual(await contentsOf((await make()).zip), { 'stays.txt': 'stays' })
  })

  test('its progress counts files while its archive is assembled', async () => {
    const { folder, file, request, build, building, media, clock, library } = await setUp(SMALL_PARTS)
    const top = await folder('Top')
    for (let n = 0; n < 8; n += 1) await file(top, `${n}.txt`, `${n}`.repeat(1_500))
    const { jobId } = await request(top.folderId)
    const assembled: number[] = []
    const slow = instead(media, {
      async storeParts(composition, parts) {
        async function* slowly() {
          for await (const part of parts) {
            yield part
            clock.advance(3)
            assembled.push((await findZip(library, jobId))!.listing!.assembled)
          }
        }
        await media.storeParts(composition, slowly())
      },
    })
    await build(jobId, undefined, { ...building, media: slow })
    assert.ok(assembled.length > 2)
    assert.deepEqual(
      assembled,
      assembled.toSorted((a, b) => a - b),
    )
    assert.ok(assembled.at(-1)! > 4 && assembled.at(-1)! <= 8)
  })
})

describe('a zip fails, and leaves nothing', () => {
  test('of an application whose key is revoked', async () => {
    const { folder, build, library, companyId, media, stored } = await setUp()
    const { folderId } = await folder('Top')
    const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32).toString('base64') }) }
    const { record } = await createKey({ ...library, apiSecretsKey }, { companyId, grants: ['downloads'] })
    const ask = () => requestZip({ ...requestOf(library, { kind: 'application', key: record }), media }, folderId, 'request')
    const { zip } = await build((await ask()).jobId)
    assert.equal(zip.state, 'DONE')
    library.clock.now = () => Date.UTC(2027, 0)
    const { jobId } = await ask()
    await revokeKey(library, record.key)
    assert.equal((await build(jobId)).zip.state, 'FAILED')
    assert.deepEqual(
      (await stored()).filter((key) => key.includes(jobId)),
      [],
    )
  })

  test('of who loses rights while it is made', async () => {
    const { folder, file, request, build, building, media, library, user, stored } = await setUp()
    const { folderId, ...top } = await folder('Top')
    await file({ folderId, ...top }, 'a.txt', 'A')
    await setGrants(library, folderId, user.user.userId, () => ['READ'])
    const { jobId } = await request(folderId, user)
    const slow = instead(media, {
      async completeComposition(composition, expected) {
        await setGrants(library, folderId, user.user.userId, () => [])
        return media.completeComposition(composition, expected)
      },
    })
    assert.equal((await build(jobId, undefined, { ...building, media: slow })).zip.state, 'FAILED')
    assert.deepEqual(await stored(), [])
  })

  test('of a file whose bytes are not what the library knows of them', async () => {
    const { folder, file, request, build, media, stored, companyId, lines } = await setUp()
    const top = await folder('Top')
    const mediaId = await file(top, 'a.txt', 'right')
    await media.put(objectKeys.original({ companyId, mediaId }), Buffer.from('wrong'), { contentType: 'text/plain' })
    const { zip } = await build((await request(top.folderId)).jobId)
    assert.deepEqual([zip.state, zip.listing?.attempt], ['FAILED', 5])
    assert.deepEqual(await stored(), [])
    assert.ok(lines.some((line) => line.includes('a zip has failed') && line.includes(zip.jobId)))
  })

  test('whose downloads are never made: they are asked for again, and after half an hour it gives up', async () => {
    const { folder, file, request, building, library, preparing, clock, stored } = await setUp()
    const top = await folder('Top')
    for (let n = 0; n < 25; n += 1) await file(top, `${n}.jpg`, 'picture', picture)
    const { jobId } = await request(top.folderId)
    preparing.isHeld = true
    let before = 0
    const times: number[] = []
    const seconds: number[] = []
    for (let second = 0; ; second += 30) {
      const left = await buildZip(building, jobId, always)
      if (!left) break
      seconds.push(left.inSeconds ?? 0)
      const jobs = await listJobs(library, [copiesJob.name], {})
      assert.deepEqual(
        jobs.map(({ input }) => (input as { mediaIds: MediaId[] }).mediaIds.length).toSorted(),
        jobs.length > 0 ? [20, 5] : [],
      )
      const asked = jobs.reduce((sum, job) => sum + job.asked, 0)
      if (asked > before) times.push(second)
      before = asked
      clock.advance(30)
      assert.ok(second < 3_600, 'it gives up')
    }
    assert.equal((await findZip(library, jobId))?.state, 'FAILED')
    assert.ok(times.length >= 5 && times.length <= 7, `asked after ${times.join(', ')} seconds`)
    assert.ok(Math.max(...seconds) <= 30)
    assert.deepEqual(await stored(), [])
  })
})
