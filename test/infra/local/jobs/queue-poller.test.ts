import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { pollQueue } from '../../../../infra/local/jobs/queue-poller.ts'
import { openEmbeddedQueues } from '../../../../shared/backends/queue/embedded.ts'
import { QueueUnavailable } from '../../../../shared/backends/queue/port.ts'
import { queues as allQueues } from '../../../../shared/backends/queue/queues.ts'
import { queueConsumer } from '../../../../shared/events/consumer.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { toMediaId } from '../../../../shared/vocabulary/ids.ts'
import { until } from './background.ts'

it('gives a failed message back once the queue can be written again, not after its whole visibility time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'media-library-'))
  let offset = 0
  const clock = { now: () => Date.now() + offset }
  const queues = openEmbeddedQueues(join(directory, 'queues.db'), clock)
  const queue = queues.queue('imports')
  const refusals: number[] = []
  let isFull = true
  const declared = queueConsumer({
    summary: 'Fails as long as the disk is full',
    trigger: { queue: 'imports' },
    uses: {},
    timeoutSeconds: 5,
    async handle() {},
  })
  const handled: unknown[] = []
  const log = jsonLog(() => undefined)
  const poller = pollQueue(
    { ...declared, name: 'take-messages' },
    {
      ...queue,
      async extend(receipt, seconds) {
        if (!isFull) return queue.extend(receipt, seconds)
        refusals.push(seconds)
        throw new QueueUnavailable('the disk is full')
      },
    },
    {
      async run(_, event) {
        if (isFull) throw new Error('the disk is full')
        handled.push(event.receives)
      },
      clock,
      log,
      concurrency: 1,
      settings: allQueues.imports,
      onDone: () => undefined,
    },
  )
  try {
    await queue.send({ mediaId: toMediaId(7) })
    await until(() => refusals.length >= 1)
    isFull = false
    // Far less than the visibility time, more than the pause before the second try.
    await until(() => {
      offset += 10
      return handled.length === 1
    })
    assert.deepEqual(handled, [2])
    assert.ok(offset < 300_000, `${offset} ms`)
  } finally {
    await poller.stop()
    queues.close()
    rmSync(directory, { recursive: true, force: true })
  }
})
