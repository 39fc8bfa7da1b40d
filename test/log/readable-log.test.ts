import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Log } from '../../shared/log/log.ts'
import { readableLog } from '../../shared/log/readable-log.ts'

function logged(work: (log: Log) => void): string[] {
  const lines: string[] = []
  work(readableLog((line) => lines.push(line)))
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))
}

test('people read a request, a message with its fields and an error with its stack', () => {
  const error = new Error('broken', { cause: new Error('550 no such mailbox') })
  error.stack = 'Error: broken\n    at here'
  const lines = logged((log) => {
    log.info('request', { id: '7', route: 'GET /folder/:id', method: 'GET', status: 200, ms: 3.6 })
    log.info('request', { id: '8', route: 'refused', method: 'PUT', status: 404 })
    log.with({ company: 3 }).warn('videos wait', { reason: 'no ffmpeg here', at: ['a', 1], none: undefined })
    log.error('job failed', { error })
    log.error('job failed', { error: 'a text' })
  })
  assert.deepEqual(lines, [
    'GET /folder/:id 200 3.6 ms id=7',
    'PUT (refused) 404 id=8',
    'WARN videos wait company=3 reason="no ffmpeg here" at=["a",1]',
    'ERROR job failed\n  Error: broken\n      at here\n  because of Error: 550 no such mailbox',
    'ERROR job failed\n  "a text"',
  ])
})

test('no text of a client controls the terminal, or pretends to be an entry', () => {
  const [line] = logged((log) =>
    log.warn('a file', { name: 'a\u001b[2J\u009b31m\n14:00:00 GET / 200\u202e', error: new Error('x\u001b]0;y') }),
  )
  assert.ok(
    line!.split('\n').every((part) => !/[\p{Cc}\p{Cf}]/u.test(part)),
    JSON.stringify(line),
  )
  assert.ok(line!.startsWith('WARN a file name="a\\u001b[2J\\u{9b}31m\\n14:00:00 GET / 200\\u{202e}"\n'), line)
})
