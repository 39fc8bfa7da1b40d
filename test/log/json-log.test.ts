import assert from 'node:assert/strict'
import { test } from 'vitest'
import { jsonLog } from '../../shared/log/json-log.ts'

function logged(error: unknown) {
  const lines: string[] = []
  jsonLog((line) => lines.push(line)).error('message failed', { error })
  return JSON.parse(lines[0]!).error
}

test('causes are logged in words, and cut: there may be many, long ones, and circles', () => {
  const refused = new TypeError('not taken', { cause: new RangeError('sending', { cause: new Error('550 no such mailbox') }) })
  assert.deepEqual(logged(refused).causes, ['RangeError: sending', 'Error: 550 no such mailbox'])
  const error = new Error('x'.repeat(10_000))
  error.cause = error
  assert.deepEqual(
    logged(error).causes.map((cause: string) => cause.length),
    [500, 500, 500, 500, 500],
  )
})
