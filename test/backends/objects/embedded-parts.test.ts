import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, test } from 'vitest'
import { PartInFlight, type PartUpload } from '../../../shared/backends/objects/port.ts'
import { partUploadsContract } from './part-uploads-contract.ts'
import { bucketOfTest, temporaryObjects } from './temporary-objects.ts'

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield Buffer.from(bytes.subarray(at, at + 100_000))
}

partUploadsContract('embedded', async () => {
  const { objects, close } = await temporaryObjects()
  return {
    uploads: objects,
    objects,
    close,
    put: (upload, number, bytes, signed = bytes.length) => objects.receivePart({ upload, number, bytes: signed, body: inPieces(bytes) }),
  }
})

describe('parts that arrive', () => {
  const size = { bytes: 10, partBytes: 10 }
  /** A part whose bytes come when the test sends them. */
  function arriving(objects: Awaited<ReturnType<typeof temporaryObjects>>['objects'], upload: PartUpload) {
    const body = new PassThrough()
    const received = objects.receivePart({ upload, number: 1, bytes: 10, body: body.iterator({ destroyOnReturn: false }) })
    return { body, received }
  }

  test('hold up the object', async () => {
    const { objects } = await bucketOfTest()
    const upload = await objects.beginParts('a/file', size)
    const { body, received } = arriving(objects, upload)
    await assert.rejects(objects.joinParts(upload, []), PartInFlight)
    body.end('ten bytes!')
    await received
    assert.equal((await objects.joinParts(upload, await objects.receivedParts(upload))).bytes, 10)
  })

  test('of two of the same number the one that began last counts, in whatever order they end', async () => {
    const { objects } = await bucketOfTest()
    const upload = await objects.beginParts('a/file', size)
    const [first, last] = [arriving(objects, upload), arriving(objects, upload)]
    last.body.end('the second')
    await once(last.body, 'end')
    first.body.end('the first!')
    await Promise.all([first.received, last.received])
    await objects.joinParts(upload, await objects.receivedParts(upload))
    const { stream } = await objects.get('a/file')
    assert.equal(Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString(), 'the second')
  })

  test('a part that breaks off leaves the one before', async () => {
    const { objects } = await bucketOfTest()
    const upload = await objects.beginParts('a/file', size)
    const whole = arriving(objects, upload)
    whole.body.end('ten bytes!')
    await whole.received
    const broken = arriving(objects, upload)
    broken.body.on('error', () => undefined).write('half')
    broken.body.destroy(new Error('the client is gone'))
    await assert.rejects(broken.received)
    const short = arriving(objects, upload)
    short.body.end('short')
    await assert.rejects(short.received, /fewer bytes/)
    await objects.joinParts(upload, await objects.receivedParts(upload))
    const { stream } = await objects.get('a/file')
    assert.equal(Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString(), 'ten bytes!')
  })
})
