import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, onTestFinished, test } from 'vitest'
import {
  type Composition,
  CompositionMissing,
  InvalidParts,
  ObjectChanged,
  ObjectMissing,
  type Objects,
  type Part,
  type StoredPart,
  WrongChecksum,
} from '../../../shared/backends/objects/port.ts'
import { skippedFor } from '../../support/skipping.ts'
import { digest, everyLabel, keys, labelsOf, type ObjectsUnderTest, sha256, text } from './contract.ts'
import type { Deviations } from './s3-deviations.ts'

const MiB = 1024 ** 2
const labels = { contentType: 'application/zip', cacheControl: 'private' }

/**
 * What every objects adapter promises of composed objects.
 * @param deviations of an engine that stands in for S3: cases that it is known to fail, and how
 */
export function compositionsContract(name: string, open: () => Promise<ObjectsUnderTest>, deviations: Deviations = {}): void {
  describe(`compositions contract: ${name}`, () => {
    const unknown = new Set(Object.keys(deviations))
    function promises(title: string, check: (objects: Objects) => Promise<void>): void {
      unknown.delete(title)
      test(title, skippedFor(deviations[title]), async () => {
        const under = await open()
        onTestFinished(() => under.close())
        await check(under.objects)
      })
    }

    promises('the object is its parts in order: bytes, objects and ranges of objects', async (objects) => {
      const large = randomBytes(6 * MiB)
      const head = randomBytes(5 * MiB)
      const tail = Buffer.from('the end')
      const { etag } = await objects.put('parts/large', large, labels)
      const whole = Buffer.concat([head, large, large.subarray(7, 5 * MiB + 7), large.subarray(MiB), tail])
      const composition = await objects.beginComposition('composed', labels)
      await objects.storeParts(
        composition,
        inOrder([
          { number: 1, bytes: head },
          { number: 2, copy: 'parts/large', size: 6 * MiB },
          { number: 3, copy: 'parts/large', etag, start: 7, end: 5 * MiB + 6 },
          { number: 4, copy: 'parts/large', start: MiB, end: 6 * MiB - 1 },
          { number: 5, bytes: tail },
        ]),
      )
      assert.equal(await objects.head('composed'), undefined, 'nothing before its completion')
      const completed = await objects.completeComposition(composition, expectationOf(whole))
      assert.equal(completed.bytes, whole.length)
      const { stream, ...got } = await objects.get('composed')
      assert.equal(await sha256(stream), digest(whole))
      assert.deepEqual({ ...got, modified: 0 }, { ...completed, modified: 0 })
      assert.deepEqual({ contentType: got.contentType, cacheControl: got.cacheControl }, labels)
    })

    promises('the object has the labels that its composition began with', async (objects) => {
      await objects.put('labelled', Buffer.from('before'), labels)
      const composition = await objects.beginComposition('labelled', everyLabel)
      const part = Buffer.from('after')
      await objects.storeParts(composition, inOrder([{ number: 1, bytes: part }]))
      assert.deepEqual(labelsOf(await objects.completeComposition(composition, expectationOf(part))), everyLabel)
      assert.deepEqual(labelsOf((await objects.head('labelled'))!), everyLabel)
    })

    promises('a composition goes on from its handle as JSON, in any order, and what is stored again replaces', async (objects) => {
      const first = randomBytes(5 * MiB)
      const second = randomBytes(5 * MiB + 3)
      const third = Buffer.from('third')
      const handle = JSON.stringify(await objects.beginComposition('steps', labels))
      const store = (number: number, bytes: Uint8Array) => objects.storeParts(JSON.parse(handle), inOrder([{ number, bytes }]))
      assert.deepEqual(await stored(objects, JSON.parse(handle)), [])
      await store(3, Buffer.from('replaced, and longer than what comes'))
      await store(2, second)
      await store(3, third)
      await store(1, randomBytes(6 * MiB))
      await store(1, first)
      assert.deepEqual(await stored(objects, JSON.parse(handle)), [
        { number: 1, bytes: 5 * MiB },
        { number: 2, bytes: 5 * MiB + 3 },
        { number: 3, bytes: 5 },
      ])
      const whole = Buffer.concat([first, second, third])
      await objects.completeComposition(JSON.parse(handle), expectationOf(whole))
      assert.equal(await sha256((await objects.get('steps')).stream), digest(whole))
      assert.deepEqual(await keys(objects, ''), ['steps'])
    })

    promises('two who store the same parts at the same time make the object', async (objects) => {
      const parts = Array.from({ length: 4 }, () => randomBytes(5 * MiB))
      const composition = await objects.beginComposition('twice', labels)
      await Promise.all([objects.storeParts(composition, numbered(parts)), objects.storeParts(composition, numbered(parts))])
      const whole = Buffer.concat(parts)
      const expected = expectationOf(whole)
      const both = await Promise.all([
        objects.completeComposition(composition, expected),
        objects.completeComposition(composition, expected),
      ])
      for (const { bytes } of both) assert.equal(bytes, whole.length)
      assert.equal(await sha256((await objects.get('twice')).stream), digest(whole))
    })

    promises('a completion may be repeated, as long as the object is there', async (objects) => {
      const composition = await objects.beginComposition('repeated', labels)
      const parts = [randomBytes(5 * MiB), randomBytes(10)]
      const expected = expectationOf(Buffer.concat(parts))
      await objects.storeParts(composition, numbered(parts))
      const { etag } = await objects.completeComposition(composition, expected)
      assert.equal((await objects.completeComposition(composition, expected)).etag, etag)
      for (const other of [
        { ...expected, bytes: expected.bytes + 1 },
        { ...expected, crc32: otherCrc(expected) },
      ]) {
        await assert.rejects(objects.completeComposition(composition, other), CompositionMissing)
      }
      await objects.delete(['repeated'])
      await assert.rejects(objects.completeComposition(composition, expected), CompositionMissing)
    })

    promises('a wrong checksum leaves the object that was there, and the composition', async (objects) => {
      await objects.put('checked', Buffer.from('before'), labels)
      const composition = await objects.beginComposition('checked', labels)
      const parts = [randomBytes(5 * MiB), randomBytes(5 * MiB), randomBytes(1)]
      const expected = expectationOf(Buffer.concat(parts))
      await objects.storeParts(composition, numbered(parts))
      await assert.rejects(objects.completeComposition(composition, { ...expected, crc32: otherCrc(expected) }), WrongChecksum)
      assert.equal(await text((await objects.get('checked')).stream), 'before')
      await objects.completeComposition(composition, expected)
      assert.equal((await objects.head('checked'))!.bytes, expected.bytes)
    })

    promises('missing parts, gaps and another size are refused, and the composition stays', async (objects) => {
      const composition = await objects.beginComposition('gaps', labels)
      const [first, second] = [randomBytes(5 * MiB), Buffer.from('second')]
      const expected = expectationOf(Buffer.concat([first, second]))
      const refused = () => assert.rejects(objects.completeComposition(composition, expected), InvalidParts)
      await refused()
      await objects.storeParts(composition, inOrder([{ number: 1, bytes: first }]))
      await refused()
      await objects.storeParts(composition, inOrder([{ number: 3, bytes: second }]))
      await refused()
      assert.equal(await objects.head('gaps'), undefined)
      await objects.abortComposition(composition)
    })

    promises('parts that are none are refused, and those before stay', async (objects) => {
      await objects.put('six', Buffer.alloc(6 * MiB), labels)
      const composition = await objects.beginComposition('refused', labels)
      const kept: Part = { number: 1, bytes: Buffer.from('kept') }
      const refused: Record<string, Part> = {
        'no number': { number: 0, bytes: Buffer.from('x') },
        'half a number': { number: 1.5, bytes: Buffer.from('x') },
        'no bytes': { number: 2, bytes: new Uint8Array() },
        'an empty object': { number: 2, copy: 'six', size: 0 },
        'a range backwards': { number: 2, copy: 'six', start: 1, end: 0 },
        'a range past the end': { number: 2, copy: 'six', start: 0, end: 6 * MiB },
        'a range behind the end': { number: 2, copy: 'six', start: 6 * MiB, end: 6 * MiB + 10 },
      }
      for (const [rule, part] of Object.entries(refused)) {
        await assert.rejects(objects.storeParts(composition, inOrder([kept, part])), InvalidParts, rule)
      }
      assert.deepEqual(await stored(objects, composition), [{ number: 1, bytes: 4 }])
      await objects.abortComposition(composition)
    })

    promises('a source that is gone or was replaced is told, and parts before stay', async (objects) => {
      const { etag } = await objects.put('moving', randomBytes(6 * MiB), labels)
      await objects.put('moving', randomBytes(6 * MiB), labels)
      const composition = await objects.beginComposition('sources', labels)
      const kept: Part = { number: 1, bytes: Buffer.from('kept') }
      const failing = (part: Part) => objects.storeParts(composition, inOrder([kept, part]))
      await assert.rejects(failing({ number: 2, copy: 'nothing', size: 5 }), ObjectMissing)
      await assert.rejects(failing({ number: 2, copy: 'nothing', start: 0, end: 5 }), ObjectMissing)
      await assert.rejects(failing({ number: 2, copy: 'moving', etag, size: 6 * MiB }), ObjectChanged)
      await assert.rejects(failing({ number: 2, copy: 'moving', etag, start: 0, end: 5 * MiB }), ObjectChanged)
      assert.deepEqual(await stored(objects, composition), [{ number: 1, bytes: 4 }])
      await objects.abortComposition(composition)
    })

    promises('a sequence that breaks off fails with its own error, parts before stay, and it is let go', async (objects) => {
      const parts = Array.from({ length: 5 }, () => randomBytes(5 * MiB))
      const composition = await objects.beginComposition('broken', labels)
      let closed = false
      async function* breaking(): AsyncGenerator<Part> {
        try {
          for (const [index, bytes] of parts.slice(0, 3).entries()) yield { number: index + 1, bytes }
          throw new Error('the source broke')
        } finally {
          closed = true
        }
      }
      await assert.rejects(objects.storeParts(composition, breaking()), /the source broke/)
      assert.ok(closed)
      const there = (await stored(objects, composition)).map(({ number }) => number)
      assert.deepEqual(there, [1, 2, 3])
      await objects.storeParts(
        composition,
        inOrder([
          { number: 4, bytes: parts[3]! },
          { number: 5, bytes: parts[4]! },
        ]),
      )
      await objects.completeComposition(composition, expectationOf(Buffer.concat(parts)))
      assert.equal(await sha256((await objects.get('broken')).stream), digest(Buffer.concat(parts)))
    })

    promises('an aborted composition is no more, and leaves nothing', async (objects) => {
      await objects.put('aborted', Buffer.from('before'), labels)
      const composition = await objects.beginComposition('aborted', labels)
      const bytes = randomBytes(5 * MiB)
      await objects.storeParts(composition, numbered([bytes]))
      await objects.abortComposition(composition)
      await objects.abortComposition(composition)
      await assert.rejects(objects.storeParts(composition, numbered([Buffer.from('late')])), CompositionMissing)
      await assert.rejects(stored(objects, composition), CompositionMissing)
      await assert.rejects(objects.completeComposition(composition, expectationOf(bytes)), CompositionMissing)
      assert.equal(await text((await objects.get('aborted')).stream), 'before')
    })

    assert.deepEqual([...unknown], [], 'deviations of cases that there are')
  })
}

export function expectationOf(whole: Uint8Array): { bytes: number; crc32: number } {
  return { bytes: whole.length, crc32: crc32(whole) }
}

function otherCrc({ crc32 }: { crc32: number }): number {
  return crc32 === 0 ? 1 : crc32 - 1
}

export async function* inOrder(parts: readonly Part[]): AsyncGenerator<Part> {
  yield* parts
}

/** Parts of given bytes, numbered from 1. */
export function numbered(parts: readonly Uint8Array[]): AsyncGenerator<Part> {
  return inOrder(parts.map((bytes, index) => ({ number: index + 1, bytes })))
}

export function stored(objects: Objects, composition: Composition): Promise<StoredPart[]> {
  return Array.fromAsync(objects.storedParts(composition))
}
