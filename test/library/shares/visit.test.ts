import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { findUser, userKey } from '../../../shared/library/accounts/users.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import { createShare, type Shared, type ShareTerms } from '../../../shared/library/shares/manage.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import type { FolderId } from '../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { sealing } from '../../support/sealing.ts'

const GUESSES = 500

/** A folder in another one. Its reader, who may READ what lies in the upper one, makes links. */
async function setUp() {
  const library = openTestTable()
  const { table, clock, by } = library
  const { admin, user, companyId } = await openTestCompany(library)
  const { userId } = user.user
  const asAdmin = () => requestOf(library, admin)
  const folder = async (name: string, parent: FolderId | null = null) => (await createFolder(asAdmin(), { name, parent })).folderId
  const upper = await folder('Upper')
  const press = await folder('Press', upper)
  await setGrants(library, upper, userId, () => ['READ'])
  const media = await putMedia(table, { mediaId: 7, companyId, folders: [press] })
  const make = async (shared: Shared = { folderId: press }, terms: ShareTerms = {}) => {
    const maker = { ...requestOf(library, user), by: { kind: 'user', userId, requestId: 'r' }, sourceAddress: '::1', ...sealing } as const
    return { ...(await createShare(maker, shared, terms)), maker }
  }
  return {
    ...{ library: { table, clock, by }, table, clock, userId, asAdmin, folder, upper, press, media, make },
    isOpen: ({ secret }: { secret: string }) =>
      openShare({ table, clock }, secret).then(
        () => true,
        (error) => {
          assert.deepEqual([error instanceof NotFound, error.code], [true, 'share_not_found'])
          return false
        },
      ),
  }
}

describe('guesses', () => {
  test('of the secret find nothing, all by the same words and one read', async () => {
    const { table, clock, make } = await setUp()
    const { secret } = await make()
    const count = newCount()
    const counted = countingTable(table, count)
    const refusals = new Set<string>()
    for (let n = 0; n < GUESSES; n++) {
      // Half of them are a character away.
      const near = `${secret.slice(0, n % 43)}${secret[n % 43] === '_' ? '-' : '_'}${secret.slice((n % 43) + 1)}`
      const guess = n % 2 === 0 ? randomBytes(32).toString('base64url') : near
      const refused = await openShare({ table: counted, clock }, guess).catch((error) => `${error.code} ${error.message}`)
      assert.equal(typeof refused, 'string')
      refusals.add(refused as string)
    }
    assert.deepEqual([count.gets, count.queries, count.writes], [GUESSES, 0, 0])
    assert.equal(refusals.size, 1)
    for (const malformed of ['', 'x', `${secret}x`, `${secret}=`, secret.slice(1), '../../etc/passwd', 'é'.repeat(43)]) {
      await assert.rejects(openShare({ table, clock }, malformed), { code: 'share_not_found' })
    }
    await openShare({ table, clock }, secret)
  })
})

describe('a link', () => {
  test('to a purged folder is open, and shows nothing that lay there', async () => {
    const { library, asAdmin, upper, press, make, isOpen, media, folder } = await setUp()
    const below = await folder('Below', press)
    const [ofFolder, ofFile, ofBelow] = [await make(), await make({ mediaIds: [media.mediaId] }), await make({ folderId: below })]
    await purgeFolder(asAdmin(), press)
    assert.deepEqual([await isOpen(ofFolder), await isOpen(ofFile), await isOpen(ofBelow)], [true, false, false])
    const { access } = await openShare(library, ofFolder.secret)
    assert.deepEqual([await access.hasOnMedia('READ', media), await access.has('READ', upper).catch(() => false)], [false, false])
  })

  test('ends with the membership of its maker', async () => {
    const { table, userId, make, isOpen } = await setUp()
    const link = await make()
    const { companies } = (await findUser({ table }, userId))!
    await table.update(userKey(userId), { set: { companies: [] } })
    assert.equal(await isOpen(link), false)
    await table.update(userKey(userId), { set: { companies } })
    assert.equal(await isOpen(link), true)
    await table.delete(userKey(userId))
    assert.equal(await isOpen(link), false)
  })
})
