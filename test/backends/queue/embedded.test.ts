import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type EmbeddedQueues, openEmbeddedQueues } from '../../../shared/backends/queue/embedded.ts'
import { type Queue, QueueUnavailable } from '../../../shared/backends/queue/port.ts'
import { queues as serviceQueues } from '../../../shared/backends/queue/queues.ts'
import { contractSettings, type Message, mediaIds, message, messages, queueContract, receiveAll } from './contract.ts'

type Child = ChildProcessByStdio<Writable, Readable, null>

/** A queue file of its own, the clock by which this process reads it, and what a test opened or started on it. */
class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'queues-'))
  readonly file = join(this.folder, 'queues.sqlite')
  time = Date.now()
  readonly #opened: EmbeddedQueues[] = []
  readonly #children: Child[] = []

  open(imports = serviceQueues.imports): EmbeddedQueues {
    const queues = openEmbeddedQueues(this.file, { now: () => this.time }, { ...serviceQueues, imports })
    this.#opened.push(queues)
    return queues
  }

  start(part: string): Child {
    const script = join(import.meta.dirname, 'queue-process.ts')
    const child = spawn(process.execPath, [script, this.file, part], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#children.push(child)
    return child
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map(kill))
    for (const queues of this.#opened) queues.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

queueContract('embedded', async (settings) => {
  const workspace = new Workspace()
  return {
    queue: workspace.open(settings).queue('imports'),
    async advance(seconds) {
      workspace.time += seconds * 1_000
    },
    close: () => workspace.close(),
  }
})

describe('embedded queues', () => {
  let workspace: Workspace
  let queues: EmbeddedQueues
  let queue: Queue<Message>

  beforeEach(() => {
    workspace = new Workspace()
    queues = workspace.open(contractSettings)
    queue = queues.queue('imports')
  })
  afterEach(() => workspace.close())

  test('queues in one file are apart', async () => {
    await queue.send(message(1))
    assert.deepEqual(await queues.queue('serviceEvents').receive(10), [])
    const [delivery] = await queue.receive(10)
    await queues.queue('serviceEvents').delete(delivery!.receipt)
    await queue.extend(delivery!.receipt, 0)
    assert.deepEqual(mediaIds(await queue.receive(10)), [1])
  })

  test('messages and their receives outlive a restart', async () => {
    await queue.sendMany([message(1), message(2)])
    const [delivery] = await queue.receive(1)
    queues.close()
    const reopened = workspace.open(contractSettings).queue('imports')
    assert.deepEqual(mediaIds(await receiveAll(reopened)), [2])
    await reopened.extend(delivery!.receipt, 0)
    assert.equal((await reopened.receive(1))[0]?.receives, 2)
  })

  test('redriven dead letters get all their tries again, under new receipts', async () => {
    await queue.send(message(1))
    let receipt = ''
    for (let receives = 0; receives < contractSettings.maxReceives; receives++) {
      receipt = (await queue.receive(1))[0]!.receipt
      await queue.extend(receipt, 0)
    }
    assert.deepEqual(await queue.receive(1), [])
    assert.equal(queues.redrive('imports', 'all'), 1)
    assert.deepEqual(await queue.deadLetters(10), [])
    const [delivery] = await queue.receive(1)
    assert.equal(delivery?.receives, 1)
    await queue.delete(receipt)
    await queue.extend(delivery.receipt, 0)
    assert.deepEqual(mediaIds(await queue.receive(1)), [1])
    assert.equal(queues.redrive('imports', 'all'), 0)
  })

  test('dead letters of the same job become one message, those of others stay their own', async () => {
    for (const group of ['company-1', 'company-2']) await queue.sendMany([message(1), message(1), message(2)], { group })
    for (let receives = 0; receives < contractSettings.maxReceives; receives++) {
      for (const { receipt } of await receiveAll(queue)) await queue.extend(receipt, 0)
    }
    await receiveAll(queue)
    assert.equal(queues.redrive('imports', 'all'), 6)
    assert.deepEqual(mediaIds(await receiveAll(queue)), [1, 1, 2, 2])
  })

  test('what a process that ended had received can be given back before its time, what is delayed not', async () => {
    await queue.sendMany([message(1), message(2)])
    await queue.receive(1)
    await queue.send(message(3), { delaySeconds: 60 })
    queues.releaseReceived()
    const deliveries = await receiveAll(queue)
    assert.deepEqual(mediaIds(deliveries), [1, 2])
    assert.deepEqual(deliveries.map(({ receives }) => receives).sort(), [1, 2])
  })

  test('the depth counts what waits, hidden or not, and dead letters', async () => {
    assert.deepEqual({ ...queues.depth('imports') }, { waiting: 0, dead: 0 })
    await queue.sendMany(messages(3))
    const [delivery] = await queue.receive(1)
    await queue.extend(delivery!.receipt, 0)
    assert.deepEqual({ ...queues.depth('imports') }, { waiting: 3, dead: 0 })
    for (let receives = 0; receives < contractSettings.maxReceives; receives++) {
      for (const { receipt } of await receiveAll(queue)) await queue.extend(receipt, 0)
    }
    await receiveAll(queue)
    assert.deepEqual({ ...queues.depth('imports') }, { waiting: 0, dead: 3 })
    assert.deepEqual({ ...queues.depth('serviceEvents') }, { waiting: 0, dead: 0 })
  })

  test('groups take turns, however many messages of one wait', async () => {
    await queue.sendMany(messages(200), { group: 'many' })
    const ofMany = async () => mediaIds(await queue.receive(1))[0]! <= 200
    assert.ok(await ofMany())
    await queue.send(message(201), { group: 'one' })
    assert.deepEqual(mediaIds(await queue.receive(1)), [201])
    assert.ok(await ofMany())
    await queue.sendMany([message(301), message(302)], { group: 'one' })
    await queue.sendMany([message(401), message(402)], { group: 'new' })
    await queue.send(message(501))
    const order = (await queue.receive(8)).map((delivery) => Math.floor(delivery.message.mediaId / 100))
    assert.deepEqual(order.sort(), [0, 0, 0, 3, 3, 4, 4, 5], 'one receive gives each its turns, and the rest to who has more')
  })

  test('a group has the turn that is its own, not those of its messages that failed', async () => {
    await queue.sendMany(messages(3), { group: 'failing' })
    for (const { receipt } of await receiveAll(queue)) await queue.extend(receipt, 1)
    await queue.sendMany([message(11), message(12)], { group: 'other' })
    workspace.time += 2_000
    const order = []
    for (const _ of messages(4)) order.push(mediaIds(await queue.receive(1))[0]! > 10 ? 'other' : 'failing')
    assert.deepEqual(order, ['other', 'failing', 'other', 'failing'])
  })

  test('turns and groups outlive a restart and the return of dead letters', async () => {
    await queue.sendMany(messages(4), { group: 'many' })
    for (let receives = 0; receives < contractSettings.maxReceives; receives++) {
      for (const { receipt } of await receiveAll(queue)) await queue.extend(receipt, 0)
    }
    await receiveAll(queue)
    await queue.sendMany([message(11), message(12)], { group: 'other' })
    assert.deepEqual(mediaIds(await queue.receive(1)), [11])
    assert.equal(queues.redrive('imports', 'all'), 4)
    queues.close()
    const reopened = workspace.open(contractSettings).queue('imports')
    const order = []
    for (const _ of messages(3)) order.push(mediaIds(await reopened.receive(1))[0]! > 10 ? 'other' : 'many')
    assert.deepEqual(order, ['many', 'other', 'many'])
  })

  test('a file of before there were groups keeps its messages', async () => {
    queues.close()
    const older = new DatabaseSync(workspace.file)
    older.exec(`DROP TABLE messages; DROP TABLE turns;
      CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, body TEXT NOT NULL, visible_at INTEGER NOT NULL,
        receives INTEGER NOT NULL DEFAULT 0, parked INTEGER NOT NULL DEFAULT 0) STRICT;
      INSERT INTO messages (queue, body, visible_at) VALUES ('imports', '{"mediaId":1}', 0), ('imports', '{"mediaId":2}', 0)`)
    older.close()
    const reopened = workspace.open(contractSettings).queue('imports')
    await reopened.send(message(3), { group: 'new' })
    assert.deepEqual(mediaIds(await reopened.receive(2)).length, 2)
    assert.deepEqual(mediaIds(await receiveAll(reopened)).length, 1)
  })

  test('closing ends a waiting receive, and what comes later is refused', async () => {
    const waiting = queue.receive(1, { waitSeconds: 20 })
    queues.close()
    queues.close()
    assert.deepEqual(await waiting, [])
    await assert.rejects(queue.send(message(1)), QueueUnavailable)
    await assert.rejects(queue.receive(1), QueueUnavailable)
  })

  test('text that is no receipt is ignored', async () => {
    await queue.send(message(1))
    const [delivery] = await queue.receive(1)
    for (const receipt of ['', '1', '-', '1-', 'a-b', `${delivery!.receipt}0`, "1' OR 1=1 --"]) {
      await queue.delete(receipt)
      await queue.extend(receipt, 0)
    }
    assert.deepEqual(await queue.receive(1), [])
    workspace.time += (contractSettings.visibilitySeconds + 1) * 1_000
    assert.deepEqual(mediaIds(await queue.receive(1)), [1])
  })

  test('a file that is no database is refused', () => {
    assert.throws(() => openEmbeddedQueues(workspace.folder, systemClock), QueueUnavailable)
  })
})

describe('embedded queues in several processes', () => {
  let workspace: Workspace

  beforeEach(() => {
    workspace = new Workspace()
  })
  afterEach(() => workspace.close())

  test('a message whose receiver was killed comes back', async () => {
    const queue = workspace.open().queue('imports')
    await queue.send(message(1))
    const child = workspace.start('receive and hang')
    assert.equal((await linesOf(child).next()).value, '1')
    await kill(child)
    workspace.time = Date.now()
    assert.deepEqual(await queue.receive(1), [])
    workspace.time += serviceQueues.imports.visibilitySeconds * 1_000
    const [delivery] = await queue.receive(1)
    assert.deepEqual(delivery?.message, message(1))
    assert.equal(delivery.receives, 2)
  })

  test('every send that was acknowledged before a kill is there', async () => {
    const child = workspace.start('send for ever')
    let acknowledged = 0
    for await (const line of linesOf(child)) {
      acknowledged = Number(line)
      if (acknowledged === 50) child.kill('SIGKILL')
    }
    workspace.time = Date.now()
    const received = mediaIds(await receiveAll(workspace.open().queue('imports')))
    assert.ok(acknowledged >= 50)
    assert.deepEqual(received.slice(0, acknowledged), mediaIds(messages(acknowledged)))
    assert.ok(received.length <= acknowledged + 1, 'at most the send that the kill cut off came on top')
  })

  test('processes that open a new file at once all get to use it', async () => {
    const senders = Array.from({ length: 6 }, () => workspace.start('send one'))
    const codes = await Promise.all(senders.map(async (child) => (await once(child, 'exit'))[0]))
    assert.deepEqual(codes, [0, 0, 0, 0, 0, 0])
    workspace.time = Date.now()
    assert.equal((await receiveAll(workspace.open().queue('imports'))).length, 6)
  })

  test('two processes receive each message once within the visibility time', async () => {
    const queue = workspace.open().queue('imports')
    await queue.sendMany(messages(300))
    const drainers = [workspace.start('drain'), workspace.start('drain')].map((child) => ({ child, received: linesOf(child) }))
    // Both have received before either goes on, so that neither can empty the queue alone.
    const first = await Promise.all(drainers.map(({ received }) => received.next()))
    for (const { child } of drainers) child.stdin.write('go\n')
    const rest = await Promise.all(drainers.map(({ received }) => Array.fromAsync(received)))
    const all = [...first.map(({ value }) => value), ...rest.flat()].map(Number)
    assert.deepEqual(
      all.sort((a, b) => a - b),
      mediaIds(messages(300)),
    )
  })

  test('a waiting receive sees what another process sends', async () => {
    const queue = workspace.open().queue('imports')
    const waiting = queue.receive(1, { waitSeconds: 20 })
    const moving = setInterval(() => {
      workspace.time = Date.now()
    }, 50)
    workspace.start('send one')
    assert.deepEqual(mediaIds(await waiting), [1])
    clearInterval(moving)
  })
})

async function* linesOf(child: Child): AsyncGenerator<string, void> {
  yield* createInterface(child.stdout)
}

async function kill(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
