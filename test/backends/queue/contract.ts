import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Delivery, Queue, QueueSettings } from '../../../shared/backends/queue/port.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { Messages } from '../../../shared/vocabulary/messages.ts'

export type Message = Messages['imports']

/** A fresh, empty queue. */
export interface QueueUnderTest {
  queue: Queue<Message>
  /** Lets so much time pass: an embedded queue's clock is moved, a real one is waited for. */
  advance(seconds: number): Promise<void>
  close(): Promise<void>
}

/** Short enough to be waited for, long enough for a slow machine to act within. */
export const contractSettings: QueueSettings = { visibilitySeconds: 4, maxReceives: 2 }

/** Past the visibility time. */
const visibleAgain = contractSettings.visibilitySeconds + 1

/** What every queue adapter promises. Each case has a queue of its own, so that the waits of a real one run side by side. */
export function queueContract(name: string, open: (settings: QueueSettings) => Promise<QueueUnderTest>): void {
  describe.concurrent(`queue contract: ${name}`, () => {
    function promises(title: string, check: (under: QueueUnderTest) => Promise<void>): void {
      test(title, async () => {
        const under = await open(contractSettings)
        try {
          await check(under)
        } finally {
          await under.close()
        }
      })
    }

    promises('what is sent is received, once', async ({ queue }) => {
      await queue.send(message(1))
      const [delivery, ...others] = await receiveAll(queue)
      assert.deepEqual(delivery?.message, message(1))
      assert.equal(delivery.receives, 1)
      assert.deepEqual(others, [])
    })

    promises('an empty queue gives nothing', async ({ queue }) => {
      assert.deepEqual(await queue.receive(10), [])
    })

    promises('any number of messages can be sent at once', async ({ queue }) => {
      await queue.sendMany([])
      await queue.sendMany(messages(25))
      const received = await receiveAll(queue)
      assert.deepEqual(mediaIds(received), mediaIds(messages(25)))
      assert.equal(new Set(received.map(({ id }) => id)).size, 25)
    })

    promises('a receive gives no more than was asked for', async ({ queue }) => {
      await queue.sendMany(messages(5))
      assert.ok((await queue.receive(2)).length <= 2)
    })

    promises('a receive of no, of more than 10, or of half a message is refused', async ({ queue }) => {
      for (const max of [0, 11, 1.5, Number.NaN]) await assert.rejects(queue.receive(max), RangeError)
    })

    promises('a message that was not deleted comes back after the visibility time, counted', async ({ queue, advance }) => {
      await queue.send(message(1))
      const [first] = await receiveAll(queue)
      assert.deepEqual(await queue.receive(10), [])
      await advance(visibleAgain)
      const [second] = await receiveAll(queue)
      assert.deepEqual(second?.message, message(1))
      assert.equal(second.receives, 2)
      assert.notEqual(second.receipt, first?.receipt)
      assert.equal(second.id, first?.id)
    })

    promises('a deleted message is gone', async ({ queue, advance }) => {
      await queue.send(message(1))
      const [delivery] = await receiveAll(queue)
      await queue.delete(delivery!.receipt)
      await queue.delete(delivery!.receipt)
      await advance(visibleAgain)
      assert.deepEqual(await receiveAll(queue), [])
      assert.deepEqual(await queue.deadLetters(10), [])
    })

    promises('a stale receipt neither deletes nor hides the message', async ({ queue, advance }) => {
      await queue.send(message(1))
      const [first] = await receiveAll(queue)
      await advance(visibleAgain)
      const [second] = await receiveAll(queue)
      await queue.extend(first!.receipt, 0)
      assert.deepEqual(await queue.receive(10), [], 'the second receiver still has it')
      await queue.delete(first!.receipt)
      await queue.extend(second!.receipt, 0)
      await receiveAll(queue)
      assert.deepEqual(await queue.deadLetters(10), [message(1)], 'it is a dead letter, so it was not deleted')
    })

    promises('a delayed message is not there before its time', async ({ queue, advance }) => {
      await queue.send(message(1), { delaySeconds: 3 })
      assert.deepEqual(await queue.receive(10), [])
      await advance(4)
      assert.deepEqual(mediaIds(await receiveAll(queue)), [1])
    })

    promises('a delay outside 0 to 900 whole seconds is refused', async ({ queue }) => {
      for (const delaySeconds of [-1, 901, 0.5, Number.NaN]) await assert.rejects(queue.send(message(1), { delaySeconds }), RangeError)
      assert.deepEqual(await queue.receive(10), [])
    })

    promises('messages of groups and of none all come, also when they are many', async ({ queue }) => {
      await queue.sendMany(messages(12), { group: 'company-1' })
      await queue.send(message(13), { group: 'company-2' })
      await queue.send(message(14))
      assert.deepEqual(mediaIds(await receiveAll(queue)), mediaIds(messages(14)))
    })

    promises('a group that is no word of 1 to 128 characters is refused', async ({ queue }) => {
      for (const group of ['', 'a b', 'Å', 'x'.repeat(129)]) {
        await assert.rejects(queue.send(message(1), { group }), RangeError)
        await assert.rejects(queue.sendMany([message(1)], { group }), RangeError)
      }
      assert.deepEqual(await queue.receive(10), [])
    })

    promises('an extended delivery stays hidden for so long from then', async ({ queue, advance }) => {
      await queue.send(message(1))
      const [delivery] = await receiveAll(queue)
      await queue.extend(delivery!.receipt, visibleAgain + 4)
      await advance(visibleAgain)
      assert.deepEqual(await queue.receive(10), [])
      await advance(5)
      assert.deepEqual(mediaIds(await receiveAll(queue)), [1])
    })

    promises('a delivery extended by 0 is given back at once', async ({ queue }) => {
      await queue.send(message(1))
      const [delivery] = await receiveAll(queue)
      await queue.extend(delivery!.receipt, 0)
      const [again] = await receiveAll(queue)
      assert.equal(again?.receives, 2)
    })

    promises('what was received too often in vain is a dead letter, and reading it leaves it there', async ({ queue }) => {
      await queue.sendMany([message(1), message(2)])
      for (let receives = 1; receives <= contractSettings.maxReceives; receives++) {
        for (const { message, receipt } of await receiveAll(queue)) {
          if (message.mediaId === 2) await queue.delete(receipt)
          else await queue.extend(receipt, 0)
        }
      }
      assert.deepEqual(await receiveAll(queue), [])
      assert.deepEqual(await queue.deadLetters(10), [message(1)])
      assert.deepEqual(await queue.deadLetters(10), [message(1)])
      assert.deepEqual(await receiveAll(queue), [])
    })

    promises('a waiting receive gets what is sent meanwhile', async ({ queue }) => {
      const waiting = queue.receive(1, { waitSeconds: 10 })
      await queue.send(message(7))
      assert.deepEqual(mediaIds(await waiting), [7])
    })

    promises('receivers at the same time share the messages, each goes to one', async ({ queue }) => {
      await queue.sendMany(messages(40))
      const deliveries = await Promise.all(Array.from({ length: 5 }, () => receiveAll(queue)))
      assert.deepEqual(mediaIds(deliveries.flat()), mediaIds(messages(40)))
    })
  })
}

export function message(mediaId: number): Message {
  return { mediaId: toMediaId(mediaId) }
}

export function messages(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => message(index + 1))
}

/** The folder ids of messages or deliveries, in order. */
export function mediaIds(list: readonly (Message | Delivery<Message>)[]): number[] {
  return list.map((entry) => ('message' in entry ? entry.message : entry).mediaId).sort((a, b) => a - b)
}

/** Receives until nothing comes: one receive may give fewer messages than there are. */
export async function receiveAll(queue: Queue<Message>): Promise<Delivery<Message>[]> {
  const all: Delivery<Message>[] = []
  for (;;) {
    const more = await queue.receive(10)
    if (more.length === 0) return all
    all.push(...more)
  }
}
