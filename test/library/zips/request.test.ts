import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { expireZip } from '../../../functions/jobs/expire-zip.ts'
import type { UserCaller } from '../../../shared/library/access/caller.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { createClique } from '../../../shared/library/cliques/cliques.ts'
import { addMember, removeMember } from '../../../shared/library/cliques/members.ts'
import { shareFolder, unshareFolder } from '../../../shared/library/cliques/shares.ts'
import { Forbidden, NotFound } from '../../../shared/library/errors.ts'
import { changeFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import { changeTags } from '../../../shared/library/folders/tags.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { copyMedia, moveMedia, removeMedia } from '../../../shared/library/media/place.ts'
import { getZip } from '../../../shared/library/zips/request.ts'
import { findZip, latestZipKey } from '../../../shared/library/zips/zip.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { setUp } from './set-up.ts'

const DAY = 86_400

/** A zip that is DONE, of a folder with a file and a folder with another one; and a folder elsewhere. */
async function made() {
  const world = await setUp()
  const { folder, file, request, build, clock } = world
  const top = await folder('Top')
  const inner = await folder('Inner', top.folderId)
  const elsewhere = await folder('Elsewhere')
  const [one, two] = [await file(top, 'one.txt', 'one'), await file(inner, 'two.txt', 'two')]
  const { zip } = await build((await request(top.folderId)).jobId)
  // Later than everything that the zip may read again.
  clock.advance(60)
  const again = async () => (await request(top.folderId)).jobId
  return { ...world, top, inner, elsewhere, one, two, zip, again }
}

type Made = Awaited<ReturnType<typeof made>>

describe('a zip that is there is offered again', () => {
  test.each<[what: string, change: (world: Made) => Promise<unknown>]>([
    ['when nothing changed', async () => undefined],
    ['after one of its files was copied elsewhere', ({ acting, one, elsewhere }) => copyMedia(acting(), one, elsewhere.folderId)],
    ['after the folder was tagged', ({ acting, top }) => changeTags(acting(), top.folderId, ['tag'], () => new Set(['tag']))],
    ['after others got rights', ({ library, top, user }) => setGrants(library, top.folderId, user.user.userId, () => ['READ'])],
    ['after it was moved', ({ acting, top, elsewhere }) => changeFolder(acting(), top.folderId, { parent: elsewhere.folderId })],
    [
      'after a file came and went',
      async ({ file, acting, top }) => removeMedia(acting(), await file(top, 'short.txt', 'short'), top.folderId),
    ],
  ])('%s', async (_, change) => {
    const world = await made()
    await change(world)
    assert.equal(await world.again(), world.zip.jobId)
    // Also when all of it is long past.
    world.clock.advance(DAY - 3600)
    assert.equal(await world.again(), world.zip.jobId)
  })
})

describe('another zip is made', () => {
  test.each<[what: string, change: (world: Made) => Promise<unknown>]>([
    ['after a file came', ({ file, inner }) => file(inner, 'new.txt', 'new')],
    ['after a file was removed', ({ acting, two, inner }) => removeMedia(acting(), two, inner.folderId)],
    ['after a file was moved away', ({ acting, one, top, elsewhere }) => moveMedia(acting(), one, top.folderId, elsewhere.folderId)],
    ['after a file was copied below', ({ acting, one, inner }) => copyMedia(acting(), one, inner.folderId)],
    ['after metadata was edited', ({ library, two }) => editMetadata(library, [two], () => ({ title: { en: 'New' } }))],
    ['after a folder came, even without files', ({ folder, inner }) => folder('New', inner.folderId)],
    ['after the folder itself was renamed', ({ acting, top }) => changeFolder(acting(), top.folderId, { name: 'Renamed' })],
    ['after a folder was moved away', ({ acting, inner }) => changeFolder(acting(), inner.folderId, { parent: null })],
    ['after a folder was moved in', ({ acting, elsewhere, top }) => changeFolder(acting(), elsewhere.folderId, { parent: top.folderId })],
    ['after a folder was purged', ({ acting, inner }) => purgeFolder(acting(), inner.folderId)],
    ['after a folder was renamed', ({ acting, inner }) => changeFolder(acting(), inner.folderId, { name: 'Renamed' })],
    ['after a folder was deleted', ({ acting, inner }) => deleteFolder(acting(), inner.folderId)],
    ['after 24 hours', async ({ clock }) => clock.advance(DAY)],
  ])('%s', async (_, change) => {
    const world = await made()
    await change(world)
    const jobId = await world.again()
    assert.notEqual(jobId, world.zip.jobId)
    const { zip } = await world.build(jobId)
    assert.equal(zip.state, 'DONE')
    // The one before is there as long as was said.
    assert.equal((await findZip(world.library, world.zip.jobId))?.state, 'DONE')
  })

  test('after more changes in the company than are looked at', async () => {
    const { file, elsewhere, again, zip } = await made()
    for (let n = 0; n <= 1_000; n += 1) await file(elsewhere, 'other.txt', '')
    assert.notEqual(await again(), zip.jobId)
  })
})

describe('what a user may READ decides', () => {
  /** A folder with another one, which a clique may share. */
  async function shared() {
    const world = await setUp()
    const { folder, file, companyId, acting, user, library, request, build, clock } = world
    const top = await folder('Top')
    const open = await folder('Open', top.folderId)
    await file(top, 'top.txt', 'top')
    await file(open, 'open.txt', 'open')
    const { cliqueId } = await createClique(acting(), { companyId, name: 'Clique', thumbnail: null })
    await addMember(acting(), cliqueId, user.user.userId)
    const share = (folderId: typeof top.folderId) => shareFolder(acting(), cliqueId, folderId, ['READ'])
    // A request reads who the caller is.
    const caller = async (): Promise<UserCaller> => ({ ...user, user: (await findUser(library, user.user.userId))! })
    const ask = async (folderId = top.folderId) => request(folderId, await caller())
    const make = async () => {
      const { zip } = await build((await ask()).jobId)
      clock.advance(60)
      return zip
    }
    return { ...world, top, open, cliqueId, share, ask, make }
  }

  test('who lost READ on a folder that has files in a zip gets it no more, as long as that folder is there', async () => {
    const { library, top, open, user, share, make, acting, cliqueId } = await shared()
    const get = async (jobId: string) => {
      const caller = { ...user, user: (await findUser(library, user.user.userId))! }
      return (await getZip(acting(caller), jobId)).state
    }
    await setGrants(library, top.folderId, user.user.userId, () => ['WRITE'])
    await share(open.folderId)
    const { jobId } = await make()
    assert.equal(await get(jobId), 'DONE')
    await changeFolder(acting(), open.folderId, { name: 'Another name' })
    assert.equal(await get(jobId), 'DONE')
    await unshareFolder(acting(), cliqueId, open.folderId)
    await assert.rejects(get(jobId), Forbidden)
    await setGrants(library, top.folderId, user.user.userId, () => [])
    await assert.rejects(get(jobId), NotFound)
    await share(open.folderId)
    assert.equal(await get(jobId), 'DONE')
    await purgeFolder(acting(), top.folderId)
    assert.equal(await get(jobId), 'DONE')
    const left = { ...user, user: { ...user.user, companies: [] } }
    await assert.rejects(getZip(acting(left), jobId), NotFound, 'who left the company')
  })

  test('who leaves the clique meanwhile gets nothing', async () => {
    const { top, user, share, ask, build, acting, cliqueId, stored } = await shared()
    await share(top.folderId)
    const { jobId } = await ask()
    await removeMember(acting(), cliqueId, user.user.userId)
    assert.equal((await build(jobId)).zip.state, 'FAILED')
    assert.deepEqual(await stored(), [])
  })
})

describe('a request', () => {
  test('gets the same job while that is PENDING, however many come at the same time', async () => {
    const { folder, request } = await setUp()
    const { folderId } = await folder('Top')
    const jobs = await Promise.all(Array.from({ length: 5 }, () => request(folderId)))
    assert.equal(new Set(jobs.map(({ jobId }) => jobId)).size, 1)
    assert.equal((await request(folderId)).jobId, jobs[0]!.jobId)
  })
})

describe('a zip that can be downloaded no more', () => {
  test('is removed an hour later, with all that is stored of it', async () => {
    const { building, clock, zip, stored, library, top } = await made()
    clock.advance(DAY + 3600 - 61)
    await runDueJobs(building, expireZip)
    assert.deepEqual(await stored(), [zip.archive, `zips/${zip.jobId}/contents`])
    clock.advance(1)
    await runDueJobs(building, expireZip)
    assert.deepEqual(await stored(), [])
    assert.equal(await findZip(library, zip.jobId), undefined)
    assert.equal(await library.table.get(latestZipKey(zip.requester, top.folderId)), undefined)
  })
})
