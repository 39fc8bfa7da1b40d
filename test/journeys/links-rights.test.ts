import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import type { Right } from '../../shared/library/tree/folder.ts'
import type { Person } from '../support/service-with-accounts.ts'
import { serviceWithLinks } from '../support/service-with-links.ts'

const { accounts, admin, as, company, file, folder, member, person, url } = await serviceWithLinks()
const boss = as(admin)
const enough: Right[] = ['READ', 'WRITE']

let plain: number
let cdn: number
/** A file in `plain`. */
let id: number
let user: Person
beforeEach(async () => {
  plain = await folder()
  cdn = (await accounts.cdnFolder(company)).folderId
  id = await file(plain)
  user = await member()
})
const grant = (to: number, ...rights: Right[]) => accounts.grant(to, user.userId, rights)

describe('publishing takes READ and WRITE on the CDN folder and on another one that holds the file', () => {
  const cases: readonly (readonly [onCdn: Right[], onPlain: Right[], status: number])[] = [
    [enough, enough, 200],
    [enough, ['READ'], 403],
    [enough, ['WRITE'], 403],
    [enough, [], 404],
    [['READ'], enough, 403],
    [['WRITE'], enough, 403],
    [['UPLOAD'], enough, 403],
    [['READ', 'ADMIN'], enough, 403],
    [[], enough, 404],
  ]
  const said = (rights: Right[]) => rights.join(' and ') || 'nothing'
  for (const [onCdn, onPlain, status] of cases) {
    test(`with ${said(onCdn)} there and ${said(onPlain)} here it is ${status}`, async () => {
      await grant(cdn, ...onCdn)
      await grant(plain, ...onPlain)
      const ways = {
        copy: () => as(user).copy(id, cdn),
        'replace its folders': () => as(user).setFolders(id, plain, cdn),
        move: () => as(user).move(id, plain, cdn),
      }
      for (const [way, carryOut] of Object.entries(ways)) {
        assert.equal(await carryOut(), status, way)
        assert.equal((await url(cdn, id)) !== undefined, status === 200, way)
        if (status === 200) await boss.remove(id, cdn)
        if (status === 200 && way === 'move') return
      }
    })
  }

  test('on one folder that holds it both, not each on another', async () => {
    const second = await folder()
    await boss.copy(id, second)
    await grant(cdn, ...enough)
    await grant(plain, 'READ')
    await grant(second, 'WRITE')
    assert.equal(await as(user).copy(id, cdn), 403)
  })

  test('the CDN folder itself is not another one, a second CDN folder is', async () => {
    const second = (await accounts.cdnFolder(company)).folderId
    await boss.copy(id, cdn)
    await boss.remove(id, plain)
    await grant(second, ...enough)
    assert.equal(await as(user).copy(id, second), 404)
    await grant(cdn, ...enough)
    assert.equal(await as(user).copy(id, second), 200)
    assert.equal(await as(user).move(id, second, cdn), 200)
    assert.ok(await url(cdn, id))
  })

  test('a copy that gives READ alone does not count, wherever it lies', async () => {
    const own = await folder()
    await grant(plain, 'READ')
    await grant(own, ...enough)
    await grant(cdn, ...enough)
    assert.equal(await as(user).copy(id, own), 200)
    assert.deepEqual(
      [await as(user).copy(id, cdn), await as(user).move(id, own, cdn), await as(user).setFolders(id, own, cdn)],
      [403, 403, 403],
    )
    await grant(plain, ...enough)
    assert.equal(await as(user).move(id, own, cdn), 200, 'who may publish the file may move that copy there, too')
    assert.ok(await url(cdn, id))
  })

  test('an upload to the CDN folder needs both there', async () => {
    const told: number[] = []
    for (const rights of [[], ['READ'], ['UPLOAD'], ['WRITE'], ['READ', 'UPLOAD'], enough] satisfies Right[][]) {
      await grant(cdn, ...rights)
      told.push((await user.client['register-upload']({ body: { folder: cdn } })).status)
    }
    assert.deepEqual(told, [404, 403, 403, 403, 403, 200])
  })
})

describe('a replacement takes READ and WRITE on the CDN folder and on a folder that holds the new file', () => {
  /** The new file, in a folder of its own. */
  let fresh: number
  let source: number
  beforeEach(async () => {
    await boss.copy(id, cdn)
    source = await folder()
    fresh = await file(source)
  })
  const cases: readonly (readonly [onCdn: Right[], onSource: Right[], status: number])[] = [
    [enough, enough, 200],
    [enough, ['READ'], 403],
    [enough, ['WRITE'], 403],
    [enough, [], 404],
    [['READ'], enough, 403],
    [['WRITE'], enough, 403],
    [[], enough, 404],
  ]
  for (const [onCdn, onSource, status] of cases) {
    test(`with ${onCdn.join(' and ') || 'nothing'} there and ${onSource.join(' and ') || 'nothing'} here it is ${status}`, async () => {
      await grant(cdn, ...onCdn)
      await grant(source, ...onSource)
      assert.equal(await as(user).replace(cdn, id, fresh), status)
      assert.deepEqual([(await url(cdn, fresh)) !== undefined, (await url(cdn, id)) !== undefined], [status === 200, status !== 200])
    })
  }

  test('which may be the CDN folder', async () => {
    await boss.copy(fresh, cdn)
    await grant(cdn, ...enough)
    assert.equal(await as(user).replace(cdn, id, fresh), 200)
  })

  test('a copy of the new file that gives READ alone does not count', async () => {
    const own = await folder()
    await grant(cdn, ...enough)
    await grant(source, 'READ')
    await grant(own, ...enough)
    await as(user).copy(fresh, own)
    assert.equal(await as(user).replace(cdn, id, fresh), 403)
  })

  test('people of other companies learn nothing of it', async () => {
    const elsewhere = await accounts.company('Elsewhere')
    const stranger = await person({ companyId: elsewhere, admin: true })
    assert.equal(await as(stranger).replace(cdn, id, fresh), 404)
    assert.equal(await as(stranger).replace(cdn, id, fresh, elsewhere), 404)
    assert.equal((await as(stranger).link(cdn, id)).status, 404)
    assert.equal((await as(stranger).link(cdn, id, elsewhere)).status, 404)
    assert.equal(await boss.replace(cdn, id, fresh, elsewhere), 404)
  })
})
