import assert from 'node:assert/strict'
import type { Item, Table } from '../../shared/backends/table/port.ts'
import { mediaIdOf, type StoredMedia, stateKey } from '../../shared/library/media/keys.ts'
import { stateOf } from '../../shared/library/media/states.ts'
import { instead } from './instead.ts'

/** A table that refuses steps of histories which begin without the state before them. @param table which has all that is committed */
export function watchedSteps(table: Table): { table: Table; steps: () => number } {
  let steps = 0
  const transact: Table['transact'] = async (operations) => {
    for (const operation of Object.values(operations)) {
      if (!('update' in operation) || operation.changes.set?.lastStep === undefined) continue
      const found = await table.get<StoredMedia>(operation.update)
      if (!found) continue
      const { pk, sk, ...media } = found
      const state = await table.get<Item>(stateKey(mediaIdOf({ pk }), media.lastStep?.version ?? 0))
      assert.ok(state, `the step after version ${media.version} of ${pk} ${sk} has no state`)
      assert.partialDeepStrictEqual(state, stateOf(media))
      steps += 1
    }
    await table.transact(operations)
  }
  return { table: instead(table, { transact }), steps: () => steps }
}
