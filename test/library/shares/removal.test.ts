import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { expireShare as declared } from '../../../functions/jobs/expire-share.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { changeShare, createShare, listShares, removeShare } from '../../../shared/library/shares/manage.ts'
import { expireShare, SHARE_DAYS } from '../../../shared/library/shares/removal.ts'
import { secretHashOf, secretKey, shareKey } from '../../../shared/library/shares/share.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { by, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { runRemovals } from '../../support/removals.ts'
import { sealing } from '../../support/sealing.ts'

const DAY = 86_400

async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const { admin } = await openTestCompany(library)
  const { userId } = admin.user
  const acting = () =>
    ({ ...requestOf(library, admin), by: { kind: 'user', userId, requestId: 'r' }, sourceAddress: '::1', ...sealing }) as const
  const { folderId } = await createFolder(acting(), { name: 'Press', parent: null })
  return {
    ...{ library: { ...library, by }, table, clock, acting, folderId },
    share: async (expiresInDays?: number, into = folderId) => {
      const expires = expiresInDays === undefined ? undefined : clock.now() + expiresInDays * DAY * 1000
      const { share, secret } = await createShare(acting(), { folderId: into }, { expires })
      return { shareId: share.shareId, secret }
    },
    listed: async () => (await listShares(acting())).map(({ share }) => share.shareId).toSorted(),
    /** Records of a link, its secret's among them. */
    records: async ({ shareId, secret }: { shareId: string; secret: string }) => [
      ...(await table.query({ pk: shareKey(shareId).pk })).items.map(({ sk }) => sk),
      ...((await table.get(secretKey(secretHashOf(secret)))) ? ['SECRET'] : []),
    ],
    expire: () => runDueJobs({ table, clock }, declared),
  }
}

describe('a share link that has ended', () => {
  test('is listed for its time, and then gone with all its records; the feed hears of it', async () => {
    const { table, clock, share, listed, records, expire } = await setUp()
    const [over, later, endless] = [await share(1), await share(2), await share()]
    const all = [over, later, endless].map(({ shareId }) => shareId).toSorted()
    clock.advance((1 + SHARE_DAYS) * DAY - 1)
    await expire()
    assert.deepEqual(await listed(), all)
    clock.advance(1)
    await expireShare({ table, clock, by }, over.shareId)
    await expire()
    assert.deepEqual(
      await listed(),
      all.filter((shareId) => shareId !== over.shareId),
    )
    assert.deepEqual(await records(over), ['SHARE-REMOVED'])
    assert.deepEqual(await records(later), ['SHARE', 'SHARE-COUNTS', 'SECRET'])
  })

  test('stays where it is opened again, even while it is being removed', async () => {
    const { library, table, clock, acting, share, expire } = await setUp()
    const [prolonged, endless, last] = [await share(1), await share(1), await share(1)]
    clock.advance((1 + SHARE_DAYS) * DAY)
    const reopen = ({ shareId }: { shareId: string }, days: number | null) =>
      changeShare(acting(), shareId, { expires: days === null ? null : clock.now() + days * DAY * 1000 })
    await reopen(prolonged, 1)
    await reopen(endless, null)
    let isReopened = false
    const slow = beforeTransactions(table, async () => {
      if (isReopened) return
      isReopened = true
      await reopen(last, 1)
    })
    await expireShare({ ...library, by, table: slow }, last.shareId)
    await expire()
    for (const { secret } of [prolonged, endless, last]) await openShare(library, secret)
    clock.advance((1 + SHARE_DAYS) * DAY)
    await expire()
    await assert.rejects(changeShare(acting(), prolonged.shareId, { title: 'x' }), { code: 'share_not_found' })
    await openShare(library, endless.secret)
  })
})

test('links to a deleted folder and to those below it go with them, others stay', async () => {
  const { table, clock, acting, folderId, share, listed, records } = await setUp()
  const { folderId: below } = await createFolder(acting(), { name: 'Below', parent: folderId })
  const { folderId: other } = await createFolder(acting(), { name: 'Other', parent: null })
  const [ofFolder, ofBelow, ofOther] = [await share(), await share(undefined, below), await share(1, other)]
  await deleteFolder(acting(), folderId)
  assert.equal((await listed()).length, 3)
  await runRemovals({ table, clock })
  assert.deepEqual(await listed(), [ofOther.shareId])
  for (const link of [ofFolder, ofBelow]) assert.deepEqual(await records(link), ['SHARE-REMOVED'])
})

test('a user has room for 1,000 links, and for another one when one of them is removed', async () => {
  const { acting, share } = await setUp()
  const { shareId } = await share()
  for (let n = 1; n < 1_000; n++) await share()
  await assert.rejects(share(), { code: 'too_many_shares' })
  await removeShare(acting(), shareId)
  await share()
})
