import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Conflict, Forbidden, Invalid, type LibraryError, NotFound } from '../../../shared/library/errors.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { addPreset, changePreset, createPreset, deletePreset, listPresets, MAX_PRESETS } from '../../../shared/library/presets/manage.ts'
import { presetClaimKey, presetPublication, presetsRecord } from '../../../shared/library/presets/preset.ts'
import { toPresetId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

async function setUp() {
  const library = openTestTable()
  const { companyId, admin, user } = await openTestCompany(library)
  const record = () => presetsRecord(library, companyId)
  return { library, companyId, record, boss: requestOf(library, admin), member: requestOf(library, user) }
}

const code = (expected: string) => (error: unknown) => (error as LibraryError).code === expected
const card = { name: 'card', query: 'width=640&height=360&fit=cover' }

describe('presets', () => {
  test('are listed oldest first, change by name and by query, and go', async () => {
    const { boss, library, companyId } = await setUp()
    const first = await createPreset(boss, undefined, card)
    library.clock.advance(1)
    await createPreset(boss, companyId, { name: 'a', query: 'grayscale' })
    const renamed = await changePreset(boss, first.presetId, { name: 'teaser' })
    assert.deepEqual([renamed.name, renamed.query, renamed.created], ['teaser', card.query, first.created])
    await changePreset(boss, first.presetId, { query: 'width=1' })
    const listed = (await listPresets(boss)).map(({ name, query }) => `${name}?${query}`)
    assert.deepEqual(listed, ['teaser?width=1', 'a?grayscale'])
    await deletePreset(boss, first.presetId)
    assert.equal(await library.table.get(presetClaimKey(first.presetId)), undefined)
    assert.deepEqual(
      (await listPresets(boss)).map(({ name }) => name),
      ['a'],
    )
    await assert.rejects(deletePreset(boss, first.presetId), NotFound)
  })

  test('ask for their publication, and note what edges are to forget of them', async () => {
    const { boss, library, companyId, record } = await setUp()
    const { presetId } = await createPreset(boss, undefined, card)
    assert.deepEqual((await record())!.stale, [], 'a new one is nowhere')
    await changePreset(boss, presetId, { name: 'teaser' })
    await changePreset(boss, presetId, { query: 'width=1' })
    const { revision } = (await record())!
    await changePreset(boss, presetId, { query: 'width=1', name: 'teaser' })
    assert.equal((await record())!.revision, revision, 'the same again is no change')
    await deletePreset(boss, presetId)
    assert.deepEqual((await record())!.stale, [`preset-${companyId}-card`, `preset-${companyId}-teaser`])
    const jobs = await listJobs(library, [presetPublication.name], {})
    assert.deepEqual(
      jobs.map(({ asked }) => asked),
      [4],
    )
  })

  test('are of admins alone, and unknown to other companies', async () => {
    const { boss, member, library, companyId } = await setUp()
    const other = await openTestCompany(library)
    const stranger = requestOf(library, other.admin)
    const { presetId } = await createPreset(boss, undefined, card)
    await assert.rejects(listPresets(member), Forbidden)
    await assert.rejects(createPreset(member, undefined, card), Forbidden)
    await assert.rejects(changePreset(member, presetId, { name: 'x' }), Forbidden)
    await assert.rejects(deletePreset(member, presetId), Forbidden)
    await assert.rejects(listPresets(stranger, companyId), NotFound)
    await assert.rejects(createPreset(stranger, companyId, card), NotFound)
    await assert.rejects(changePreset(stranger, presetId, { name: 'x' }), NotFound)
    await assert.rejects(deletePreset(stranger, presetId), NotFound)
    await assert.rejects(deletePreset(member, toPresetId(presetId === 1 ? 2 : 1)), NotFound)
    assert.equal((await createPreset(stranger, undefined, card)).name, 'card', 'names are of a company')
  })

  test('have one name each, also of those that are made at the same time', async () => {
    const { boss } = await setUp()
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => createPreset(boss, undefined, card)))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const each of made) assert.ok(each.status === 'fulfilled' || code('preset_exists')(each.reason), JSON.stringify(each))
    const second = await createPreset(boss, undefined, { ...card, name: 'second' })
    await assert.rejects(changePreset(boss, second.presetId, { name: 'card' }), code('preset_exists'))
  })

  test('are at most 100 a company', async () => {
    const { boss, library, companyId } = await setUp()
    for (let n = 0; n < MAX_PRESETS; n++) await addPreset(library, companyId, { ...card, name: `p${n}` })
    await assert.rejects(createPreset(boss, undefined, card), (error: Conflict) => error.code === 'too_many_presets')
    await assert.rejects(createPreset(boss, undefined, { ...card, name: 'p1' }), code('preset_exists'))
  })
})

describe('the query of a preset', () => {
  test.each([
    ['', ['query']],
    ['&', ['query']],
    ['?width=3', ['query.?width']],
    ['width=0', ['query.width']],
    ['width=4097&height=x&output_format=gif', ['query.width', 'query.height', 'query.output_format']],
    ['width=10&fit=fill&aspect=0:1', ['query.fit', 'query.aspect']],
    ['width=10&size=3', ['query.size']],
    ['preset=card', ['query.preset']],
    ['width=10&preset=', ['query.preset']],
    ['crop=0,0,1,1', ['query']],
    ['grayscale=0', ['query']],
    ['dpr=2', ['query']],
    [`width=1${'0'.repeat(500)}`, ['query']],
  ])('%j is refused with all that is wrong', async (query, paths) => {
    const { boss } = await setUp()
    await assert.rejects(createPreset(boss, undefined, { name: 'card', query }), (error: Invalid) => {
      assert.ok(error instanceof Invalid, String(error))
      assert.deepEqual(new Set(error.problems.map(({ path }) => path)), new Set(paths))
      return true
    })
    const { presetId } = await createPreset(boss, undefined, card)
    await assert.rejects(changePreset(boss, presetId, { query }), Invalid)
    assert.equal((await listPresets(boss))[0]!.query, card.query)
  })

  test.each(['width=10&width=x', 'aspect=16%3A9', 'hdr=1', 'output_format=auto', 'crop=0,0,0.5,1&width=5'])(
    '%j is taken as it is',
    async (query) => {
      const { boss } = await setUp()
      assert.equal((await createPreset(boss, undefined, { name: 'card', query })).query, query)
    },
  )
})
