import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { KNOWN_MS, knownValues } from '../../../shared/backends/secrets/known-values.ts'
import type { KeyValues } from '../../../shared/backends/secrets/port.ts'

describe('secrets that a process has read', () => {
  let now: number
  let stored: KeyValues | undefined
  const secrets = () =>
    knownValues(
      async (_name: 'apiSecretsKey') => {
        if (!stored) throw new Error('unreachable')
        return stored
      },
      { ...systemClock, now: () => now },
    )
  beforeEach(() => {
    now = 0
    stored = { current: 'first' }
  })

  test('are read again when what is known of them is five minutes old', async () => {
    const known = secrets()
    assert.deepEqual(await known.get('apiSecretsKey'), { current: 'first' })
    stored = { current: 'second', previous: 'first', since: 1 }
    now = KNOWN_MS - 1
    assert.deepEqual(await known.get('apiSecretsKey'), { current: 'first' })
    assert.deepEqual(await secrets().get('apiSecretsKey'), stored)
    now = KNOWN_MS
    assert.deepEqual(await known.get('apiSecretsKey'), stored)
  })

  test('stay as they are where they can not be read again, and are read again soon', async () => {
    const known = secrets()
    await known.get('apiSecretsKey')
    stored = undefined
    now = KNOWN_MS
    assert.deepEqual(await known.get('apiSecretsKey'), { current: 'first' })
    stored = { current: 'second' }
    now += 60_000
    assert.deepEqual(await known.get('apiSecretsKey'), { current: 'second' })
  })

  test('are asked for again after a read that failed', async () => {
    const known = secrets()
    stored = undefined
    await assert.rejects(known.get('apiSecretsKey'), /unreachable/)
    stored = { current: 'late' }
    assert.deepEqual(await known.get('apiSecretsKey'), { current: 'late' })
  })
})
