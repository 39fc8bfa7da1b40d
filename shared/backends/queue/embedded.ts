import { EventEmitter } from 'node:events'
import type { Messages } from '../../vocabulary/messages.ts'
import type { Clock } from '../clock/port.ts'
import { DEAD_LETTER_PAUSE, type DeadLetterChoice, type DeadLetterCount } from './dead-letters.ts'
import { checkDelay, checkGroup, checkReceiveBatch } from './limits.ts'
import { MessageStore } from './message-store.ts'
import { type Queue, QueueUnavailable, type SendOptions } from './port.ts'
import { type QueueName, queues as serviceQueues } from './queues.ts'

/** The embedded backend's queues. */
export interface EmbeddedQueues {
  queue<Name extends QueueName>(name: Name): Queue<Messages[Name]>
  /**
   * Makes all messages in flight visible. For the start of the server that owns the data: the messages that the previous process was
   * working on when it was killed don't wait for the visibility timeout.
   */
  releaseReceived(): void
  /** Numbers of a queue's messages (in flight and delayed ones included) and of its dead letters. */
  depth(name: QueueName): { waiting: number; dead: number }
  /** A queue's dead letters. Takes one read, however long the queue is. */
  deadLetterCount(name: QueueName): DeadLetterCount
  /** Makes new messages of a queue's dead letters, with `maxReceives` attempts each. @returns how many there were */
  redrive(name: QueueName, which: DeadLetterChoice): number
  /** What is left in a queue of an earlier version, dead letters too. Nobody receives it. */
  left(formerQueue: string): unknown[]
  /** Deletes what is left in a queue of an earlier version. */
  clear(formerQueue: string): Promise<void>
  /** Ends waiting receives without a message and closes the file. Later calls throw QueueUnavailable. */
  close(): void
}

/** Milliseconds until a waiting receive sees a message of another process, or one that becomes visible. A send of this process ends the wait. */
const pollMilliseconds = 200

/**
 * Opens all queues in the SQLite file at `path`, made when missing. Server and worker processes may have it open at once.
 *
 * @param clock decides what is visible; waiting itself takes real time
 * @param settings by queue; the service's own unless a test needs shorter times
 * @throws QueueUnavailable when the file can't be opened
 */
export function openEmbeddedQueues(path: string, clock: Clock, settings = serviceQueues): EmbeddedQueues {
  const store = orUnavailable(() => new MessageStore(path))
  const sends = new EventEmitter().setMaxListeners(0)
  let closed = false

  /** Waits for the next send to the queue, at most so long. */
  function nextSend(name: QueueName, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        sends.off(name, wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      sends.on(name, wake)
    })
  }

  function queue<Name extends QueueName>(name: Name): Queue<Messages[Name]> {
    async function add(messages: readonly Messages[Name][], { delaySeconds = 0, group }: SendOptions = {}): Promise<void> {
      checkDelay(delaySeconds)
      checkGroup(group)
      const bodies = messages.map((message) => JSON.stringify(message))
      await store.add(name, group ?? '', bodies, clock.now() + delaySeconds * 1_000).catch(unavailable)
      sends.emit(name)
    }

    return {
      send: (message, options) => add([message], options),
      sendMany: add,
      async receive(max, { waitSeconds = 0 } = {}) {
        checkReceiveBatch(max)
        const deadline = performance.now() + waitSeconds * 1_000
        for (;;) {
          const rows = await store.take(name, max, clock.now(), settings[name]).catch(unavailable)
          const left = deadline - performance.now()
          if (rows.length > 0 || left <= 0) {
            return rows.map(({ id, body, receives }) => ({
              id: String(id),
              message: JSON.parse(body),
              receives,
              receipt: `${id}-${receives}`,
            }))
          }
          await nextSend(name, Math.min(left, pollMilliseconds))
          if (closed) return []
        }
      },
      async delete(receipt) {
        await store.remove(name, ...parseReceipt(receipt)).catch(unavailable)
      },
      async extend(receipt, seconds) {
        const now = clock.now()
        await store.hide(name, ...parseReceipt(receipt), now + seconds * 1_000, now).catch(unavailable)
      },
      async deadLetters(max) {
        return orUnavailable(() => store.deadLetters(name, max)).map((body) => JSON.parse(body))
      },
    }
  }

  return {
    queue,
    releaseReceived() {
      orUnavailable(() => store.release(clock.now()))
    },
    depth(name) {
      return orUnavailable(() => store.depth(name))
    },
    deadLetterCount(name) {
      const { count, since } = orUnavailable(() => store.deadLetterCount(name))
      return { count, nextRetry: since === null ? undefined : since + DEAD_LETTER_PAUSE }
    },
    redrive(name, which) {
      const now = clock.now()
      const count = orUnavailable(() => store.redrive(name, now, which === 'all' ? now : now - DEAD_LETTER_PAUSE))
      if (count > 0) sends.emit(name)
      return count
    },
    left: (formerQueue) => orUnavailable(() => store.bodies(formerQueue)).map((body) => JSON.parse(body)),
    clear: (formerQueue) => store.clear(formerQueue).catch(unavailable),
    close() {
      if (closed) return
      closed = true
      store.close()
      for (const name of sends.eventNames()) sends.emit(name)
    },
  }
}

/** A message's id and receives. An invalid receipt gives numbers that no delivery has. */
function parseReceipt(receipt: string): [id: number, receives: number] {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(receipt)
  return parts ? [Number(parts[1]), Number(parts[2])] : [0, 0]
}

function orUnavailable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    unavailable(error)
  }
}

function unavailable(cause: unknown): never {
  throw new QueueUnavailable('The queue file could not be used', { cause })
}
