import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type QueueSettings, queues } from '../../../shared/backends/queue/queues.ts'
import { retryPause } from '../../../shared/backends/queue/retry-pause.ts'

const pauses = (settings: QueueSettings) => Array.from({ length: settings.maxReceives }, (_, n) => retryPause(n + 1, settings))
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

describe('a message whose consumer fails', () => {
  for (const [name, settings] of Object.entries(queues)) {
    test(`outlives an outage of a quarter of an hour in the queue ${name}`, () => {
      assert.ok(sum(pauses(settings)) >= 15 * 60, `its pauses are ${pauses(settings).join(', ')} s`)
    })
  }

  test('comes back after pauses that double, and becomes a dead letter at once after the last', () => {
    assert.deepEqual(pauses({ visibilitySeconds: 30, maxReceives: 7 }), [2, 4, 8, 16, 29, 29, 0])
  })
})
