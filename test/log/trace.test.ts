import assert from 'node:assert/strict'
import { test } from 'vitest'
import { jsonLog } from '../../shared/log/json-log.ts'
import { traced, traceOf } from '../../shared/log/trace.ts'

const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a traceparent that W3C Trace Context forbids counts as none', () => {
  assert.deepEqual(traceOf('r', VALID), { id: 'r', traceparent: VALID })
  const [version, trace, span, flags] = VALID.split('-')
  const wrong = [
    ...['', 'x', `${VALID} `, `${VALID}-00`, VALID.toUpperCase(), VALID.slice(1), `${VALID}\r\nX: 1`],
    ...[`ff-${trace}-${span}-${flags}`, `${version}-${'0'.repeat(32)}-${span}-${flags}`, `${version}-${trace}-${'0'.repeat(16)}-${flags}`],
  ]
  for (const each of [...wrong, undefined]) assert.deepEqual(traceOf('r', each), { id: 'r' }, String(each))
})

test('log lines carry the request that they follow from, and no other', async () => {
  const lines: Record<string, unknown>[] = []
  const log = jsonLog((line) => lines.push(JSON.parse(line))).with({ function: 'f' })
  await traced(traceOf('r', VALID), async () => {
    await Promise.resolve()
    log.info('inside')
    traced(undefined, () => log.info('apart'))
  })
  log.info('outside')
  assert.deepEqual(
    lines.map(({ time, level, ...line }) => line),
    [
      { message: 'inside', id: 'r', traceparent: VALID, function: 'f' },
      { message: 'apart', function: 'f' },
      { message: 'outside', function: 'f' },
    ],
  )
})
