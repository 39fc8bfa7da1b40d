import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'vitest'

const module_ = new URL('../../../shared/tools/processes/give-way.ts', import.meta.url).href

/** The priority of a process that had one of 15, and gave way. */
function priorityAfter(least: number): number {
  const program = `import { getPriority, setPriority } from 'node:os'; import { giveWay } from '${module_}'
    setPriority(15); giveWay(${least}); console.log(getPriority())`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

test('a process gives way, but keeps a lower priority that it has: without being root it could not start', () => {
  assert.equal(priorityAfter(19), 19)
  assert.equal(priorityAfter(5), 15)
})
