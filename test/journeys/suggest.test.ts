import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { putMedia } from '../support/media.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'

const { accounts, person } = await serviceWithAccounts()

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('suggestions for who types', () => {
  let companyId: CompanyId
  let owner: Person
  let reader: Person
  let outsider: Person
  let press: number
  const first = 400_000_000 + Math.floor(Math.random() * 40_000_000)
  const put = (n: number, media: Partial<Parameters<typeof putMedia>[1]>) =>
    putMedia(accounts.table, { companyId, modified: Date.now(), created: n, ...media, mediaId: first + n })

  beforeAll(async () => {
    companyId = await accounts.company('With words')
    owner = await person({ companyId, admin: true })
    reader = await person({ companyId })
    outsider = await person({ companyId: await accounts.company('Elsewhere'), admin: true })
    const folder = async (name: string, parent?: number) =>
      (await owner.client['create-folder']({ body: { name, ...(parent && { parent }) } })).body.id
    press = await folder('Press')
    const secret = await folder('Harbour, secret')
    await folder('Old harbour', press)
    await folder('Harbour 2026', press)
    const share = { params: { id: press, userId: reader.userId }, body: { flags: ['READ' as const] } }
    assert.equal((await owner.client['set-folder-access'](share)).status, 200)
    await put(1, { folders: [press], title: { en: 'HARBOUR at dawn' }, keywords: { en: ['Golden Gate', 'Århus', HOSTILE] } })
    await put(2, { folders: [press, secret], keywords: { en: ['harbour', 'NATO'], da: ['havn'] } })
    await put(3, { folders: [secret], title: { en: 'Harpoon' }, keywords: { en: ['harem', 'zeppelin'] } })
  })

  const suggest = async (q: string, of: Person = owner, limit?: number) => {
    const { status, body } = await of.client['suggest-search']({ query: { q, ...(limit && { limit }) } })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const words = async (q: string, of?: Person) => (await suggest(q, of)).words

  test('are keywords and words of titles that begin so, and folders by name', async () => {
    const { words: found, folders, did_you_mean } = await suggest('har')
    assert.deepEqual(found, ['harbour', 'harem', 'harpoon'])
    assert.deepEqual(
      folders.map(({ name }) => name),
      ['Harbour 2026', 'Harbour, secret', 'Old harbour'],
    )
    assert.equal(did_you_mean, null)
    assert.deepEqual(await words('golden g'), ['Golden Gate'])
    assert.deepEqual(await words('GATE'), [])
    assert.deepEqual(await words('nat'), ['NATO'])
    for (const q of ['århus', 'Aarh', 'arhus', 'A\u030aRH']) assert.deepEqual(await words(q), ['Århus'], q)
    assert.deepEqual(await words('havn'), [])
    assert.deepEqual(await words('<img src'), [HOSTILE])
    const { words: few, folders: one } = await suggest('har', owner, 1)
    assert.deepEqual([few, one.length], [['harbour'], 1])
  })

  test('say what was meant where nothing is found', async () => {
    const meant = async (q: string, of?: Person) => (await suggest(q, of)).did_you_mean
    assert.equal(await meant('harbuor'), 'harbour')
    assert.equal(await meant('Goldn Gat'), 'Golden Gate')
    assert.equal(await meant('nato harbuor'), 'nato harbour')
    assert.equal(await meant('natt dawm'), null)
    assert.equal(await meant('hrbr'), null)
    assert.equal(await meant('harbour'), null)
    assert.equal(await meant('zepelin'), 'zeppelin')
  })

  test('tell nobody of what they may not read', async () => {
    assert.deepEqual(await suggest('har', reader), {
      words: ['harbour'],
      folders: (await suggest('har', reader)).folders.filter(({ name }) => !name.includes('secret')),
      did_you_mean: null,
    })
    assert.deepEqual(await suggest('zepelin', reader), { words: [], folders: [], did_you_mean: null })
    assert.deepEqual(await suggest('zeppelin', reader), { words: [], folders: [], did_you_mean: null })
    assert.deepEqual(await suggest('har', outsider), { words: [], folders: [], did_you_mean: null })
    assert.deepEqual(await suggest('harbuor', outsider), { words: [], folders: [], did_you_mean: null })
    await put(4, { folders: [press], keywords: { en: ['zeppelin'] } })
    assert.equal((await suggest('zepelin', reader)).did_you_mean, 'zeppelin')
  })

  test('end with the file, its keyword and its folder', async () => {
    await put(5, { folders: [press], keywords: { en: ['umbrella'] } })
    assert.deepEqual(await words('umb'), ['umbrella'])
    await put(5, { folders: [press], keywords: { en: ['parasol'] }, revision: 2 })
    assert.deepEqual(await words('umb'), [])
    await owner.client['move-folder-to-trash']({ params: { id: press } })
    assert.deepEqual(await words('paras'), [])
    assert.deepEqual((await suggest('press')).folders, [])
  })

  test('take any text of up to 255 characters, and 1 to 20 of each', async () => {
    for (const q of ['"', '*', '-', '""', '%', '\\', '\u0000', '\u202e', '+', '📷', 'a'.repeat(255), '- '.repeat(127), 'a" OR "b', "'; --"])
      assert.equal((await suggest(q)).words.length, 0, q)
    const status = async (query: object) => (await owner.client['suggest-search']({ query: query as never })).status
    assert.equal(await status({ q: 'a'.repeat(256) }), 400)
    for (const limit of ['0', '21', '-1', '1.5', 'many']) assert.equal(await status({ q: 'a', limit }), 400, limit)
    assert.equal(await status({ q: 'a', limit: '20' }), 200)
    assert.equal(await status({}), 400)
    assert.equal(await status({ q: '' }), 400)
  })
})
