import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { beforeAll, describe, test } from 'vitest'
import { type Calls, type Counted, type CountedOperation, counted as readCounted } from '../../../infra/cost/counted.ts'
import { countOperations } from './count-operations.ts'

/** Items hold random numbers and times: one may be just larger than a kilobyte, which is a unit of writing, two in a transaction. */
const MORE_WRITTEN = 2

/** With `COUNT_COSTS=1` what is counted is stated from now on. */
describe('calls, counted again', () => {
  const file = new URL('../../../infra/cost/counted.json', import.meta.url)
  let now: Counted
  let stated: Counted
  beforeAll(async () => {
    now = await countOperations()
    if (process.env.COUNT_COSTS) await writeFile(file, oneLineEach(now))
    stated = readCounted()
  })

  test('are all stated, and no others', () => {
    assert.deepEqual(Object.keys(stated.operations).sort(), Object.keys(now.operations).sort())
    assert.deepEqual(Object.keys(stated.schedules).sort(), Object.keys(now.schedules).sort())
  })

  test('are billed for no more than is stated, with all that follows from them', () => {
    for (const [name, operation] of Object.entries(now.operations)) {
      const limits = totals(stated.operations[name]!)
      for (const [unit, amount] of Object.entries(totals(operation))) {
        const limit = (limits[unit] ?? 0) + (unit === 'writeUnits' ? MORE_WRITTEN : 0)
        assert.ok(amount <= limit, `${name}: ${amount} ${unit}, and ${limits[unit] ?? 0} are stated`)
      }
    }
  })

  test('of schedules that find nothing to do are no more than is stated', () => {
    for (const [name, calls] of Object.entries(now.schedules)) {
      for (const unit of Object.keys(calls) as (keyof Calls)[]) {
        assert.ok(calls[unit] <= stated.schedules[name]![unit], `${name}: ${calls[unit]} ${unit}`)
      }
    }
  })
})

/** Units, and runs of functions. */
function totals({ request, behind, runs }: CountedOperation): Record<string, number> {
  const units = (Object.keys(request) as (keyof Calls)[]).map((unit) => [unit, request[unit] + behind[unit]])
  return { ...Object.fromEntries(units), ...runs }
}

/** Each operation and each schedule on a line of its own, so that a difference is easy to read. */
function oneLineEach(counted: Counted): string {
  const section = (entries: object) =>
    Object.entries(entries)
      .map(([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`)
      .join(',\n')
  return `{\n  "operations": {\n${section(counted.operations)}\n  },\n  "schedules": {\n${section(counted.schedules)}\n  }\n}\n`
}
