import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { addAlias, removeAlias, setPresetsOnly } from '../../../shared/library/links/aliases.ts'
import { INVALIDATIONS, invalidationJob, type NamedInvalidation } from '../../../shared/library/links/invalidation.ts'
import { type PublishingPresets, publishPresets } from '../../../shared/library/links/publish-presets.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { addPreset, changePreset, deletePreset } from '../../../shared/library/presets/manage.ts'
import { presetPublication, presetsRecord } from '../../../shared/library/presets/preset.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

/** A company with an alias and a preset, which are published. */
async function setUp() {
  const library = openTestTable()
  const { companyId, admin } = await openTestCompany(library)
  const publicFiles = openTestObjects(library.clock)
  const publishing: PublishingPresets = { ...library, publicFiles }
  await addAlias(library, companyId, 'press', { name: 'Press' })
  const { presetId } = await addPreset(library, companyId, { name: 'card', query: 'width=10' })
  const publish = (over = publishing, of: CompanyId = companyId) => publishPresets(over, of)
  await publish()
  const boss = requestOf(library, admin)
  const change = (query: string) => changePreset(boss, presetId, { query })
  /** What renderers are told, by key. */
  const stored = async (): Promise<Record<string, unknown>> => {
    const keys = await Array.fromAsync(everyObject(publicFiles, ''), ({ key }) => key)
    const contents = keys.map(async (key) => [key, JSON.parse(await text((await publicFiles.get(key)).stream))] as const)
    return Object.fromEntries(await Promise.all(contents))
  }
  const says = (presets: Record<string, string>, presetsOnly = false) => ({ companyId, presetsOnly, presets })
  const forgotten = async () => {
    const { items } = await library.table.query<NamedInvalidation & { pk: string; sk: string }>({ pk: INVALIDATIONS })
    return items.map(({ name }) => name)
  }
  const asksEdges = async () => (await listJobs(library, [invalidationJob.name], {})).length > 0
  const another = () => openTestCompany(library)
  return { library, companyId, boss, presetId, publicFiles, publishing, publish, change, stored, says, forgotten, asksEdges, another }
}

const PRESS = '_/aliases/press.json'

describe('presets are published', () => {
  test('for each alias, and edges forget pictures by those that changed', async () => {
    const { library, companyId, boss, presetId, publish, change, stored, says, forgotten, asksEdges } = await setUp()
    assert.deepEqual(await stored(), { [PRESS]: says({ card: 'width=10' }) })
    assert.deepEqual([await forgotten(), await asksEdges()], [[], false], 'a new one is at no edge')
    await addAlias(library, companyId, 'shop', { name: 'Shop' })
    await publish()
    await change('width=20')
    await publish()
    const both = says({ card: 'width=20' })
    assert.deepEqual(await stored(), { [PRESS]: both, '_/aliases/shop.json': both })
    assert.deepEqual([await forgotten(), await asksEdges()], [[`preset-${companyId}-card`], true])
    await changePreset(boss, presetId, { name: 'teaser' })
    await publish()
    assert.deepEqual((await stored())[PRESS], says({ teaser: 'width=20' }))
    await deletePreset(boss, presetId)
    await publish()
    assert.deepEqual(await stored(), {}, 'nothing has to be said')
    assert.deepEqual(await forgotten(), [`preset-${companyId}-card`, `preset-${companyId}-teaser`])
  })

  test('with whether they are all that an alias shows', async () => {
    const { library, companyId, boss, presetId, publish, stored, says, forgotten } = await setUp()
    await setPresetsOnly(library, companyId, 'press', true)
    await publish()
    assert.deepEqual((await stored())[PRESS], says({ card: 'width=10' }, true))
    assert.deepEqual(await forgotten(), ['/press/', 'alias-press'])
    await deletePreset(boss, presetId)
    await publish()
    assert.deepEqual((await stored())[PRESS], says({}, true))
    await setPresetsOnly(library, companyId, 'press', false)
    await publish()
    assert.deepEqual(await stored(), {})
    await assert.rejects(setPresetsOnly(library, companyId, 'shop', true), /no such alias/)
  })

  test('no more under an alias that was removed, and anew where the alias is one again', async () => {
    const { library, companyId, publish, stored, says } = await setUp()
    await setPresetsOnly(library, companyId, 'press', true)
    const folderId = await removeAlias(library, companyId, 'press')
    await publish()
    assert.deepEqual(await stored(), {})
    await addAlias(library, companyId, 'press', { folderId })
    await publish()
    assert.deepEqual(await stored(), { [PRESS]: says({ card: 'width=10' }) }, 'the rule went with the alias')
  })

  test('of whoever has the alias by now', async () => {
    const { library, companyId, publish, publishing, publicFiles, stored, another } = await setUp()
    const other = await another()
    await removeAlias(library, companyId, 'press')
    const taken = async () => {
      await addAlias(library, other.companyId, 'press', { name: 'Press' })
      await addPreset(library, other.companyId, { name: 'theirs', query: 'width=5' })
      await publish(publishing, other.companyId)
    }
    let isFirst = true
    const late: Objects['delete'] = async (keys) => {
      if (isFirst) await taken()
      isFirst = false
      await publicFiles.delete(keys)
    }
    await publish({ ...publishing, publicFiles: instead(publicFiles, { delete: late }) })
    const asked = await listJobs(library, [presetPublication.name], {})
    assert.ok(asked.some(({ subject }) => subject === String(other.companyId)))
    await publish(publishing, other.companyId)
    const theirs = { companyId: other.companyId, presetsOnly: false, presets: { theirs: 'width=5' } }
    assert.deepEqual(await stored(), { [PRESS]: theirs })
  })

  test('as they are in the end although a run that lost its lease stores former ones', async () => {
    const { library, companyId, publish, publishing, publicFiles, change, stored, says, forgotten } = await setUp()
    await change('width=20')
    let isFirst = true
    const put: Objects['put'] = async (...input) => {
      if (isFirst) {
        isFirst = false
        await change('width=30')
        await publish()
        // Edges have forgotten.
        await library.table.delete({ pk: INVALIDATIONS, sk: `NAME#preset-${companyId}-card` })
      }
      return publicFiles.put(...input)
    }
    await publish({ ...publishing, publicFiles: instead(publicFiles, { put }) })
    assert.deepEqual((await stored())[PRESS], says({ card: 'width=30' }))
    assert.deepEqual(await forgotten(), [`preset-${companyId}-card`], 'a picture may have been made of the former one')
    const { published, revision, stale } = (await presetsRecord(library, companyId))!
    assert.deepEqual([published, stale], [revision, undefined])
  })

  test.each(['before', 'after'] as const)('in the end although a run crashes %s any call to a port', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const { library, companyId, publish, publishing, change, stored, says, forgotten, asksEdges } = await setUp()
      await removeAlias(library, companyId, 'press')
      await addAlias(library, companyId, 'shop', { name: 'Shop' })
      await change('width=20')
      const faults = new Faults(failing, when)
      const ports = { table: faults.in(publishing.table), publicFiles: faults.in(publishing.publicFiles) }
      await unlessEnded(publish({ ...publishing, ...ports }))
      wasReached = faults.hasFailed
      await publish()
      const what = `${when} call ${failing}`
      assert.deepEqual(await stored(), { '_/aliases/shop.json': says({ card: 'width=20' }) }, what)
      assert.deepEqual([await forgotten(), await asksEdges()], [[`preset-${companyId}-card`], true], what)
      await publish()
    }
  })

  test('with any number of names that edges are to forget', async () => {
    const { boss, presetId, publish, forgotten } = await setUp()
    for (let n = 0; n < 120; n++) await changePreset(boss, presetId, { name: `p${n}` })
    await publish()
    assert.equal((await forgotten()).length, 120)
  })
})
