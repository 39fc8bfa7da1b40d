/**
 * Another process with the same queue file, for embedded.test.ts: `queue-process.ts <file> <part>`. It reports one JSON value a line
 * and ends when it is killed or, for `drain`, when the queue is empty; `drain` receives once, then waits for a line of input.
 */
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openEmbeddedQueues } from '../../../shared/backends/queue/embedded.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'

const [file, part] = process.argv.slice(2)
const queues = openEmbeddedQueues(file!, systemClock)
const queue = queues.queue('imports')

function report(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

if (part === 'receive and hang') {
  for (const { message } of await queue.receive(1, { waitSeconds: 10 })) report(message.mediaId)
  setInterval(() => {}, 1_000)
} else if (part === 'send for ever') {
  for (let mediaId = 1; ; mediaId++) {
    await queue.send({ mediaId: toMediaId(mediaId) })
    report(mediaId)
  }
} else if (part === 'send one') {
  await queue.send({ mediaId: toMediaId(1) })
  queues.close()
} else {
  await work(await queue.receive(3))
  process.stdin.once('data', drain)
}

async function drain(): Promise<void> {
  for (;;) {
    const deliveries = await queue.receive(3)
    if (deliveries.length === 0) break
    await work(deliveries)
  }
  queues.close()
  process.stdin.destroy()
}

async function work(deliveries: Awaited<ReturnType<typeof queue.receive>>): Promise<void> {
  for (const { message, receipt } of deliveries) {
    report(message.mediaId)
    await queue.delete(receipt)
  }
}
