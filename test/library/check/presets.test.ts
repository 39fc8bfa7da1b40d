import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { addAlias, setPresetsOnly } from '../../../shared/library/links/aliases.ts'
import { namedInvalidationKey } from '../../../shared/library/links/invalidation.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { publishPresets } from '../../../shared/library/links/publish-presets.ts'
import { addPreset, changePreset } from '../../../shared/library/presets/manage.ts'
import { presetClaimKey, presetPublication } from '../../../shared/library/presets/preset.ts'
import { toPresetId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'

const [HOUR, DAY] = [3_600, 86_400]

/** A company with two aliases and a published preset. */
async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin } = await openTestCompany(library)
  const [media, publicFiles] = [openTestObjects(clock), openTestObjects(clock)]
  for (const alias of ['press', 'shop']) await addAlias(library, companyId, alias, { name: alias })
  const preset = await addPreset(library, companyId, { name: 'card', query: 'width=10' })
  const publish = () => publishPresets({ ...library, publicFiles }, companyId)
  await publish()
  const { pk, sk } = (await presetPublication.find(library, String(companyId)))!
  await table.delete({ pk, sk })
  return {
    ...{ library, table, clock, companyId, publicFiles, preset, publish },
    change: () => changePreset(requestOf(library, admin), preset.presetId, { query: 'width=20' }),
    async check() {
      const problems = await checkLibrary({ table, scanner: table, media, publicFiles, clock }, { pauses: [0] })
      return problems.map(({ problem }) => problem).sort()
    },
  }
}

type World = Awaited<ReturnType<typeof setUp>>

const put = ({ publicFiles }: World, key: string) => publicFiles.put(key, Buffer.from('{}'), { contentType: 'application/json' })

test('nothing is wrong with presets that are published, or are about to be', async () => {
  const world = await setUp()
  assert.deepEqual(await world.check(), [])
  await world.change()
  assert.deepEqual(await world.check(), [])
  await world.publish()
  await setPresetsOnly(world.library, world.companyId, 'shop', true)
  await world.publish()
  assert.deepEqual(await world.check(), [])
})

test.each<[what: string, damage: (world: World) => unknown, found: ProblemCode[]]>([
  [
    'an alias that renderers know nothing of',
    ({ publicFiles }) => publicFiles.delete([publicKeys.presets('press')]),
    ['presets_not_published'],
  ],
  ['an alias of which they know something else', (world) => put(world, publicKeys.presets('press')), ['presets_not_published']],
  ['what they know of nobody', (world) => put(world, publicKeys.presets('gone')), ['public_object_unexpected']],
  ['a preset that is not claimed', ({ table, preset }) => table.delete(presetClaimKey(preset.presetId)), ['preset_without_claim']],
  [
    'a claim of no preset',
    ({ table, companyId, preset }) => {
      const presetId = toPresetId(preset.presetId === 1 ? 2 : 1)
      return table.put({ ...presetClaimKey(presetId), companyId, presetId })
    },
    ['preset_claim_without_preset'],
  ],
  [
    'a publication that does not end',
    async ({ change, clock }) => {
      await change()
      clock.advance(DAY + 1)
    },
    ['presets_stuck'],
  ],
  [
    'a publication that nobody has asked for',
    async ({ change, clock, table, companyId, library }) => {
      await change()
      clock.advance(HOUR + 1)
      const { pk, sk } = (await presetPublication.find(library, String(companyId)))!
      await table.delete({ pk, sk })
    },
    ['presets_without_job'],
  ],
  [
    'edges that are not told',
    ({ table, clock }) => {
      const since = clock.now() - 2 * DAY * 1000
      return table.put({ ...namedInvalidationKey('alias-press'), name: 'alias-press', since, notBefore: since })
    },
    ['invalidation_stuck'],
  ],
])('%s: found, and nothing else', async (_, damage, found) => {
  const world = await setUp()
  await damage(world)
  assert.deepEqual(await world.check(), found)
})
