import assert from 'node:assert/strict'
import { test } from 'vitest'
import { workerCount } from '../../../../infra/local/jobs/worker-count.ts'

const GB = 1024 ** 3
const withTools = { uses: { table: 'write', exiftool: 'use' } } as const
const withoutTools = { uses: { table: 'write' } } as const

test('consumers with tools have as many workers as the machine has cores, within limits and its memory', () => {
  const counts = [
    { cores: 1, memory: GB },
    { cores: 2, memory: 8 * GB },
    { cores: 4, memory: 8 * GB },
    { cores: 6, memory: 3.5 * GB },
    { cores: 64, memory: 256 * GB },
  ].map((machine) => workerCount(withTools, machine))
  assert.deepEqual(counts, [2, 2, 4, 3, 8])
  assert.equal(workerCount(withoutTools, { cores: 64, memory: 256 * GB }), 1)
})

test('this machine has at least two', () => {
  assert.ok(workerCount(withTools) >= 2)
})
