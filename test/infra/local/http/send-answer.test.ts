import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { sendAnswer } from '../../../../infra/local/http/send-answer.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'a')

async function* chunks(count: number, failure?: Error) {
  for (let n = 0; n < count; n++) yield CHUNK
  if (failure) throw failure
}

const streams: Record<string, () => Readable> = {
  whole: () => Readable.from(chunks(100), { objectMode: false }),
  broken: () => Readable.from(chunks(3, new Error('the disk died')), { objectMode: false }),
  dead: () =>
    Readable.from(chunks(1), { objectMode: false })
      .on('error', () => undefined)
      .destroy(new Error('the disk was dead')),
  endless: () => Readable.from(chunks(Number.POSITIVE_INFINITY), { objectMode: false }),
}

describe('an answer that streams', () => {
  /** The streams that were sent, and what sending threw, the newest last. */
  const sent: Readable[] = []
  const failures: Error[] = []
  const server = createServer(async (request, response: ServerResponse) => {
    const body = streams[request.url!.slice(1)]!()
    sent.push(body)
    await sendAnswer(request, response, { status: 200, headers: { 'Content-Type': 'image/webp' }, body }).catch((error) =>
      failures.push(error),
    )
  })
  let baseUrl: string
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())
  const get = (kind: string, init?: RequestInit) => fetch(`${baseUrl}/${kind}`, init)
  const destroyed = async (source: Readable) => {
    while (!source.destroyed) await nextTurn()
  }

  test('that fails in the middle is cut off, so that nobody takes a part for the whole, and its failure is told', async () => {
    await assert.rejects(get('broken').then((broken) => broken.bytes()))
    await assert.rejects(get('dead').then((dead) => dead.bytes()))
    while (failures.length < 2) await nextTurn()
    assert.deepEqual(
      failures.map(({ message }) => message),
      ['the disk died', 'the disk was dead'],
    )
  })

  test('ends with the client that goes away, which is no failure', async () => {
    const before = failures.length
    const leaving = new AbortController()
    const response = await get('endless', { signal: leaving.signal })
    const reader = response.body!.getReader()
    await reader.read()
    leaving.abort()
    await reader.read().catch(() => undefined)
    await destroyed(sent.at(-1)!)
    assert.equal((await get('whole')).status, 200)
    assert.equal(failures.length, before)
  })

  test('waits for a client that reads slowly', async () => {
    const response = await get('endless')
    const reader = response.body!.getReader()
    await reader.read()
    const source = sent.at(-1)!
    // Nobody reads: what lies between the two fills up, then the source stops.
    let readable = -1
    for (let quiet = 0; quiet < 200; quiet++) {
      await nextTurn()
      if (source.readableLength !== readable) quiet = 0
      readable = source.readableLength
    }
    assert.ok(source.readableLength <= 4 * CHUNK.length)
    await reader.cancel()
    await destroyed(source)
  })
})
