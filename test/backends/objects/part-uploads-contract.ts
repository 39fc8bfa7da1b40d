import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, onTestFinished, test } from 'vitest'
import {
  ComparisonUnfinished,
  CompositionMissing,
  InvalidParts,
  type ObjectReader,
  type PartUpload,
  type PartUploads,
  WrongMd5,
} from '../../../shared/backends/objects/port.ts'
import { skippedFor } from '../../support/skipping.ts'
import type { Deviations } from './s3-deviations.ts'

/** A bucket that takes files in parts, empty. */
export interface PartsUnderTest {
  uploads: Omit<PartUploads, 'partRequest'>
  objects: ObjectReader
  /** Stores a part as a client does. @param signed size that its request is signed for, by default its own @returns its ETag */
  put(upload: PartUpload, number: number, bytes: Uint8Array, signed?: number): Promise<string>
  close(): Promise<void>
}

const MiB = 1024 ** 2
const PART = 5 * MiB
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

const cases: Record<string, (under: PartsUnderTest) => Promise<void>> = {
  async 'parts in any order become one object'(under) {
    const { uploads } = under
    const bytes = randomBytes(2 * PART + 100)
    const upload = await begin(under, bytes)
    assert.deepEqual(await uploads.receivedParts(upload), [])
    for (const number of [3, 1, 2]) assert.equal(await under.put(upload, number, part(bytes, number)), md5Of(part(bytes, number)))
    const parts = await uploads.receivedParts(upload)
    assert.deepEqual(
      parts.map(({ number, bytes: size, etag }) => ({ number, size, etag })),
      [1, 2, 3].map((number) => ({ number, size: part(bytes, number).length, etag: md5Of(part(bytes, number)) })),
    )
    assert.ok(parts.every(({ modified }) => Math.abs(modified - Date.now()) < 3_600_000))
    assert.equal(await under.objects.head('a/file'), undefined)
    const made = await uploads.joinParts(upload, parts, md5Of(bytes))
    assert.deepEqual([made.key, made.bytes], ['a/file', bytes.length])
    assert.ok((await stored(under)).equals(bytes))
    await assert.rejects(uploads.receivedParts(upload), CompositionMissing)
  },

  async 'joining twice at once gives one object'(under) {
    const bytes = randomBytes(PART + 1)
    const upload = await uploaded(under, bytes)
    const parts = await under.uploads.receivedParts(upload)
    await Promise.all([under.uploads.joinParts(upload, parts), under.uploads.joinParts(upload, parts)])
    assert.ok((await stored(under)).equals(bytes))
  },

  async 'of a part that comes twice the last one counts'(under) {
    const [first, last] = [randomBytes(PART + 10), randomBytes(PART + 10)]
    const upload = await uploaded(under, first)
    const before = await under.uploads.receivedParts(upload)
    for (const number of [1, 2]) await under.put(upload, number, part(last, number))
    await assert.rejects(under.uploads.joinParts(upload, before), InvalidParts)
    await under.uploads.joinParts(upload, await under.uploads.receivedParts(upload), md5Of(last))
    assert.ok((await stored(under)).equals(last))
  },

  async 'with another MD5 nothing appears, and the parts stay'(under) {
    const bytes = randomBytes(PART + 10)
    const upload = await uploaded(under, bytes)
    const refusal = await under.uploads.joinParts(upload, await under.uploads.receivedParts(upload), md5Of(Buffer.from('else'))).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!(refusal instanceof WrongMd5)) throw refusal
    assert.equal(await under.objects.head('a/file'), undefined)
    const parts = await under.uploads.receivedParts(refusal.upload)
    assert.deepEqual(
      parts.map(({ bytes: size }) => size),
      [PART, 10],
    )
    await under.uploads.joinParts(refusal.upload, parts, md5Of(bytes))
    assert.ok((await stored(under)).equals(bytes))
  },

  async 'an MD5 that a call had no time to read is compared by the next one'(under) {
    const { uploads } = under
    const bytes = randomBytes(PART + 10)
    const upload = await uploaded(under, bytes)
    const unfinished = uploads.joinParts(upload, await uploads.receivedParts(upload), md5Of(bytes), async () => undefined)
    await unfinished.catch((error) => assert.ok(error instanceof ComparisonUnfinished, String(error)))
    await uploads.joinParts(upload, [], md5Of(bytes), async () => ({ md5: md5Of(bytes) }))
    assert.ok((await stored(under)).equals(bytes))
  },

  async 'an empty part makes an empty object'(under) {
    const upload = await uploaded(under, new Uint8Array())
    await under.uploads.joinParts(upload, await under.uploads.receivedParts(upload))
    assert.equal((await stored(under)).length, 0)
  },

  async 'a part is taken in the size that its request is signed for alone'(under) {
    const bytes = randomBytes(PART + 2)
    const upload = await begin(under, bytes)
    for (const wrong of [randomBytes(1), randomBytes(3), new Uint8Array()]) await assert.rejects(under.put(upload, 2, wrong, 2))
    assert.deepEqual(await under.uploads.receivedParts(upload), [])
    await under.put(upload, 2, part(bytes, 2), 2)
    assert.deepEqual(
      (await under.uploads.receivedParts(upload)).map(({ bytes: size }) => size),
      [2],
    )
  },

  async 'what is aborted takes and tells nothing any more'(under) {
    const upload = await uploaded(under, Buffer.from('ten bytes!'))
    await under.uploads.abortParts(upload)
    await under.uploads.abortParts(upload)
    await assert.rejects(under.uploads.receivedParts(upload), CompositionMissing)
    await assert.rejects(under.put(upload, 1, Buffer.from('ten bytes!')))
    await assert.rejects(under.uploads.joinParts(upload, []), CompositionMissing)
  },
}

/** What `PartUploads` promises. */
export function partUploadsContract(name: string, open: () => Promise<PartsUnderTest>, deviations: Deviations = {}): void {
  describe(`${name}: uploads in parts`, () => {
    for (const [title, check] of Object.entries(cases)) {
      test(title, skippedFor(deviations[title]), async () => {
        const under = await open()
        onTestFinished(() => under.close())
        await check(under)
      })
    }
  })
}

function begin({ uploads }: PartsUnderTest, bytes: Uint8Array): Promise<PartUpload> {
  return uploads.beginParts('a/file', { bytes: bytes.length, partBytes: PART })
}

async function uploaded(under: PartsUnderTest, bytes: Uint8Array): Promise<PartUpload> {
  const upload = await begin(under, bytes)
  for (let number = 1; number === 1 || (number - 1) * PART < bytes.length; number += 1) await under.put(upload, number, part(bytes, number))
  return upload
}

const part = (bytes: Uint8Array, number: number) => bytes.subarray((number - 1) * PART, number * PART)

async function stored({ objects }: PartsUnderTest): Promise<Buffer> {
  const { stream } = await objects.get('a/file')
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
}
