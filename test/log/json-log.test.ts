import assert from 'node:assert/strict'
import { test } from 'vitest'
import { jsonLog } from '../../shared/log/json-log.ts'

function logged(error: unknown) {
  const lines: string[] = []
  jsonLog((line) => lines.push(line)).error('message failed', { error })
  return JSON.parse(lines[0]!).error
}

test('an error is logged with what it comes from, in words', () => {
  const refused = new Error('Message failed: 550 no such mailbox')
  const error = new TypeError('The mail server did not take the mail', { cause: new RangeError('sending', { cause: refused }) })
  const { name, message, causes, stack } = logged(error)
  assert.deepEqual([name, message], ['TypeError', 'The mail server did not take the mail'])
  assert.deepEqual(causes, ['RangeError: sending', 'Error: Message failed: 550 no such mailbox'])
  assert.match(stack, /json-log\.test\.ts/)
  assert.ok(!('causes' in logged(new Error('alone'))))
})

test('causes are cut: there may be many, long ones, and circles', () => {
  const error = new Error('x'.repeat(10_000))
  error.cause = error
  assert.deepEqual(
    logged(error).causes.map((cause: string) => cause.length),
    [500, 500, 500, 500, 500],
  )
})
