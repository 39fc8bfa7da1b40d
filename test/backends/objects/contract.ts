import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, onTestFinished, test } from 'vitest'
import {
  InvalidKey,
  MAX_KEY_BYTES,
  ObjectChanged,
  type ObjectInfo,
  type ObjectLabels,
  ObjectMissing,
  type ObjectReader,
  type Objects,
  RangeOutside,
} from '../../../shared/backends/objects/port.ts'
import { skippedFor } from '../../support/skipping.ts'
import type { Deviations } from './s3-deviations.ts'

/** Two buckets of one kind, `objects` empty but for what the same suite put under other prefixes. */
export interface ObjectsUnderTest {
  objects: Objects
  other: Objects
  close(): Promise<void>
}

/** Two buckets, each opened alike. */
export async function twoBuckets(open: () => Promise<Omit<ObjectsUnderTest, 'other'>>): Promise<ObjectsUnderTest> {
  const [one, other] = await Promise.all([open(), open()])
  return { objects: one.objects, other: other.objects, close: async () => void (await Promise.all([one.close(), other.close()])) }
}

const MiB = 1024 ** 2
const labels = { contentType: 'image/jpeg' }

/** Every label that an object can have, and that storage tells again. */
export const everyLabel: Required<Omit<ObjectLabels, 'storageClass' | 'ai'>> = {
  contentType: 'text/html; charset=utf-8',
  cacheControl: 'public, max-age=60, s-maxage=31536000',
  disposition: 'inline; filename="A \\"quoted\\" name.html"; filename*=UTF-8\'\'na%C3%AFve%20%E6%97%A5.html',
  cacheTag: 'link-0123456789abcdef0123456789abcdef',
}

/** The labels of what a bucket tells. */
export function labelsOf({ key, bytes, modified, etag, ...told }: ObjectInfo): ObjectLabels {
  return told
}

/** Keys that a storage may stumble over, or that may lead out of a directory. */
const hostileKeys = {
  'separators and dots': ['../../etc/passwd', '..', '.', '/absolute', 'a//b', 'trailing/', 'a/../b', 'C:\\dir\\file', '~', '-rf'],
  'characters of any script': ['naïve æøå.jpg', '日本語/写真 1.jpg', '👩‍👩‍👧.png', 'e\u0301 and é', 'a+b c%20d&e=f?g#h.jpg', '"<&>\'.xml'],
  'control characters': ['tab\tnewline\ncarriage\rbell\u0007.jpg', '\u0001', 'delete\u007f'],
  'long names': ['x'.repeat(MAX_KEY_BYTES), `${'ü'.repeat(200)}/${'ü'.repeat(300)}`],
}

/**
 * What every objects adapter promises.
 * @param deviations of an engine that stands in for S3: cases that it is known to fail, and how
 */
export function objectsContract(name: string, open: () => Promise<ObjectsUnderTest>, deviations: Deviations = {}): void {
  describe(`objects contract: ${name}`, () => {
    const unknown = new Set(Object.keys(deviations))
    function promises(title: string, check: (objects: Objects, under: ObjectsUnderTest) => Promise<void>): void {
      unknown.delete(title)
      test(title, skippedFor(deviations[title]), async () => {
        const under = await open()
        onTestFinished(() => under.close())
        await check(under.objects, under)
      })
    }

    promises('what was put is got, with its labels', async (objects) => {
      const put = await objects.put('photos/1.jpg', Buffer.from('bytes'), { contentType: 'image/jpeg', cacheControl: 'max-age=60' })
      const { stream, ...got } = await objects.get('photos/1.jpg')
      assert.equal(await text(stream), 'bytes')
      assert.deepEqual({ ...got, modified: 0 }, { ...put, modified: 0 })
      assert.deepEqual(got, await objects.head('photos/1.jpg'))
      assert.equal(got.key, 'photos/1.jpg')
      assert.equal(got.bytes, 5)
      assert.equal(got.contentType, 'image/jpeg')
      assert.equal(got.cacheControl, 'max-age=60')
      assert.match(got.etag, /^[^"]+$/)
      assert.ok(Number.isInteger(got.modified) && got.modified > 0)
    })

    promises('an object is fetched to a file, whatever its size, and a missing one is not', async (objects) => {
      const directory = await mkdtemp(join(tmpdir(), 'fetched-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      for (const bytes of [0, 5, 33 * MiB + 7]) {
        const content = randomBytes(bytes)
        const put = await objects.put('fetched', content, labels)
        const path = join(directory, String(bytes))
        assert.deepEqual({ ...(await objects.fetch('fetched', path)), modified: 0 }, { ...put, modified: 0 })
        assert.ok(content.equals(await readFile(path)), `${bytes} bytes`)
      }
      await objects.delete(['fetched'])
      assert.equal((await readFile(join(directory, '5'))).length, 5, 'the file stays when the object is deleted')
      await assert.rejects(objects.fetch('missing', join(directory, 'missing')), ObjectMissing)
    })

    promises('a file becomes an object, whatever its size, and the object lives on when the file goes', async (objects) => {
      const directory = await mkdtemp(join(tmpdir(), 'put-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      const contents = [0, 5, 17 * MiB].map((bytes) => randomBytes(bytes))
      for (const content of contents) {
        const path = join(directory, String(content.length))
        await writeFile(path, content)
        const put = await objects.putFile(`file ${content.length}`, path, labels)
        assert.deepEqual({ ...(await objects.head(`file ${content.length}`)), modified: 0 }, { ...put, modified: 0 })
        assert.equal(put.bytes, content.length)
      }
      await rm(directory, { recursive: true })
      for (const content of contents) {
        assert.ok(content.equals(await buffer((await objects.get(`file ${content.length}`)).stream)))
      }
    })

    promises('every label stays with its object, however that is stored', async (objects, { other }) => {
      const directory = await mkdtemp(join(tmpdir(), 'labels-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      const path = join(directory, 'file')
      await writeFile(path, 'of a file')
      await objects.put('labelled/bytes', Buffer.from('bytes'), everyLabel)
      await objects.put('labelled/stream', Readable.from([Buffer.from('stream')]), everyLabel)
      await objects.put('labelled/long stream', Readable.from([randomBytes(9 * MiB)]), everyLabel)
      await objects.putFile('labelled/file', path, everyLabel)
      await objects.put('plain source', Buffer.from('copied'), labels)
      await objects.copy({ key: 'plain source' }, 'labelled/copy', everyLabel)
      await other.put('elsewhere', Buffer.from('copied'), labels)
      await objects.copy({ key: 'elsewhere', from: other }, 'labelled/copy of another bucket', everyLabel)
      for (const key of await keys(objects, 'labelled/')) {
        assert.deepEqual(labelsOf((await objects.head(key))!), everyLabel, key)
        const { stream, ...got } = await objects.get(key, { start: 0, end: 0 })
        stream.destroy()
        assert.deepEqual(labelsOf(got), everyLabel, key)
      }
    })

    promises('an empty object is one', async (objects) => {
      await objects.put('empty', new Uint8Array(), labels)
      await objects.put('empty stream', Readable.from([]), labels)
      for (const key of ['empty', 'empty stream']) {
        assert.equal((await objects.head(key))!.bytes, 0)
        assert.equal(await text((await objects.get(key)).stream), '')
        await assert.rejects(objects.get(key, { start: 0 }), RangeOutside)
      }
    })

    promises('what is not there is missing', async (objects) => {
      assert.equal(await objects.head('nothing'), undefined)
      await assert.rejects(objects.get('nothing'), ObjectMissing)
      await assert.rejects(objects.copy({ key: 'nothing' }, 'copy', labels), ObjectMissing)
    })

    promises('a put over an existing key replaces bytes and labels', async (objects) => {
      const first = await objects.put('key', Buffer.from('first'), { contentType: 'text/plain', cacheControl: 'private' })
      const second = await objects.put('key', Buffer.from('second, longer'), labels)
      assert.notEqual(first.etag, second.etag)
      const { stream, contentType, cacheControl } = await objects.get('key')
      assert.equal(await text(stream), 'second, longer')
      assert.deepEqual({ contentType, cacheControl }, { contentType: 'image/jpeg', cacheControl: undefined })
    })

    promises('of puts at the same time one wins, whole', async (objects) => {
      const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000 + index, index))
      await Promise.all(bodies.map((body) => objects.put('contested', body, labels)))
      const got = await bytes((await objects.get('contested')).stream)
      assert.deepEqual(got, Buffer.alloc(got.length, got.length - 200_000))
    })

    for (const length of [8 * MiB, 8 * MiB + 1, 33 * MiB]) {
      promises(`a stream of ${length} bytes arrives whole`, async (objects) => {
        const body = randomBytes(length)
        const put = await objects.put('stream', pieces(body, 100_000), labels)
        assert.equal(put.bytes, length)
        assert.equal(await sha256((await objects.get('stream')).stream), digest(body))
      })
    }

    promises('nothing appears of a stream that fails', async (objects) => {
      for (const good of [0, 1000, 20 * MiB]) {
        await assert.rejects(objects.put(`failed/${good}`, failingAfter(good), labels), /the source broke/)
      }
      assert.deepEqual(await keys(objects, 'failed/'), [])
    })

    promises('a stream that fails leaves the object that it should have replaced', async (objects) => {
      await objects.put('kept', Buffer.from('old'), labels)
      await assert.rejects(objects.put('kept', failingAfter(9 * MiB), labels), /the source broke/)
      assert.equal(await text((await objects.get('kept')).stream), 'old')
    })

    promises('ranges are inclusive, open ones reach the end, and ends past the end are the end', async (objects) => {
      await objects.put('ten', Buffer.from('0123456789'), labels)
      const ranged = async (start: number, end?: number) => {
        const { stream, bytes } = await objects.get('ten', end === undefined ? { start } : { start, end })
        assert.equal(bytes, 10, 'the size told is the object’s')
        return text(stream)
      }
      assert.equal(await ranged(0, 0), '0')
      assert.equal(await ranged(2, 4), '234')
      assert.equal(await ranged(7), '789')
      assert.equal(await ranged(8, 1000), '89')
      assert.equal(await ranged(0, 9), '0123456789')
      await assert.rejects(ranged(10), RangeOutside)
      await assert.rejects(ranged(10, 20), RangeOutside)
      await assert.rejects(ranged(4, 2), RangeError)
      await assert.rejects(ranged(-1), RangeError)
      await assert.rejects(ranged(0.5), RangeError)
    })

    promises('a listing is in order of key bytes, by prefix, in pages', async (objects) => {
      // In UTF-16 the emoji would come before the last one.
      const ordered = ['l/A', 'l/a', 'l/a-', 'l/b/1', 'l/b/2', 'l/z', 'l/é', 'l/日', 'l/\ufb01', 'l/😀']
      for (const key of [...ordered].reverse()) await objects.put(key, Buffer.from(key), labels)
      await objects.put('k', Buffer.from('before'), labels)
      await objects.put('m', Buffer.from('after'), labels)
      assert.deepEqual(await keys(objects, 'l/'), ordered)
      assert.deepEqual(await keys(objects, 'l/', 3), ordered)
      assert.deepEqual(await keys(objects, 'l/', 1), ordered)
      assert.deepEqual(await keys(objects, 'l/', ordered.length), ordered)
      assert.deepEqual(await keys(objects, 'l/b'), ['l/b/1', 'l/b/2'])
      assert.deepEqual(await keys(objects, 'l/é'), ['l/é'])
      assert.deepEqual(await keys(objects, ''), ['k', ...ordered, 'm'])
      assert.deepEqual(await objects.list('nothing/'), { objects: [] })
    })

    promises('a listing tells size, time and etag', async (objects) => {
      await objects.put('listed', Buffer.from('12345'), labels)
      const { key, bytes, modified, etag } = (await objects.head('listed'))!
      const [entry, ...others] = (await objects.list('listed')).objects
      assert.deepEqual(others, [])
      assert.deepEqual({ ...entry, modified: 0 }, { key, bytes, modified: 0, etag })
      assert.ok(Math.abs(entry!.modified - modified) < 1000, 'to the second')
    })

    promises('a listing can be walked while its objects are deleted', async (objects) => {
      for (let number = 0; number < 7; number += 1) await objects.put(`walk/${number}`, Buffer.from('x'), labels)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await objects.list('walk/', { limit: 3, ...(cursor && { cursor }) })
        const found = page.objects.map(({ key }) => key)
        await objects.delete(found)
        seen.push(...found)
        cursor = page.cursor
      } while (cursor)
      assert.deepEqual(
        seen,
        Array.from({ length: 7 }, (_, number) => `walk/${number}`),
      )
    })

    promises('deleting takes any number of keys, those without an object too', async (objects) => {
      await objects.delete([])
      await objects.delete(['nothing'])
      const many = Array.from({ length: 1100 }, (_, number) => `many/${number}`)
      const real = many.filter((_, index) => index % 40 === 0)
      for (const key of real) await objects.put(key, Buffer.from('x'), labels)
      await objects.delete(many)
      assert.deepEqual(await keys(objects, 'many/'), [])
      assert.equal(await objects.head(real[0]!), undefined)
    })

    promises('a copy is not touched when its source is replaced, nor the source by its copy', async (objects) => {
      await objects.put('one', Buffer.from('first'), labels)
      await objects.copy({ key: 'one' }, 'two', labels)
      await objects.put('one', Buffer.from('changed'), labels)
      assert.equal(await text((await objects.get('two')).stream), 'first')
      await objects.put('two', Buffer.from('other'), labels)
      assert.equal(await text((await objects.get('one')).stream), 'changed')
    })

    promises('a copy of what was read is refused once another object stands there', async (objects, { other }) => {
      for (const from of [objects, other]) {
        await from.put('posted', Buffer.from('inspected'), labels)
        const { stream, etag } = await from.get('posted')
        assert.equal(await text(stream), 'inspected')
        await objects.copy({ key: 'posted', from, etag }, 'kept', labels)
        await from.put('posted', Buffer.from('posted again'), labels)
        await assert.rejects(objects.copy({ key: 'posted', from, etag }, 'kept', labels), ObjectChanged)
        assert.equal(await text((await objects.get('kept')).stream), 'inspected')
        await from.delete(['posted'])
        await assert.rejects(objects.copy({ key: 'posted', from, etag }, 'kept', labels), ObjectMissing)
      }
    })

    promises('a large object is copied whole', async (objects, { other }) => {
      const body = randomBytes(129 * MiB)
      await other.put('large', pieces(body, MiB), labels)
      const { etag } = (await other.head('large'))!
      await assert.rejects(objects.copy({ key: 'large', from: other, etag: `${etag}0` }, 'large', labels), ObjectChanged)
      const copied = await objects.copy({ key: 'large', from: other, etag }, 'large', labels)
      assert.equal(copied.bytes, body.length)
      assert.equal(await sha256((await objects.get('large')).stream), digest(body))
    })

    promises('keys that are none are refused everywhere', async (objects) => {
      await objects.put('fine', Buffer.from('x'), labels)
      for (const key of ['', 'x'.repeat(MAX_KEY_BYTES + 1), 'ü'.repeat(MAX_KEY_BYTES / 2 + 1), 'nul\0', 'half \ud83d pair']) {
        await assert.rejects(objects.put(key, Buffer.from('x'), labels), InvalidKey)
        await assert.rejects(objects.get(key), InvalidKey)
        await assert.rejects(objects.head(key), InvalidKey)
        await assert.rejects(objects.delete([key]), InvalidKey)
        await assert.rejects(objects.copy({ key: 'fine' }, key, labels), InvalidKey)
        await assert.rejects(objects.copy({ key }, 'fine', labels), InvalidKey)
        await assert.rejects(objects.beginComposition(key, labels), InvalidKey)
      }
    })

    for (const [kind, hostile] of Object.entries(hostileKeys)) {
      promises(`any key keeps its own object: ${kind}`, async (objects) => {
        for (const key of hostile) await objects.put(key, Buffer.from(`object at ${key}`), labels)
        for (const key of hostile) {
          assert.equal(await text((await objects.get(key)).stream), `object at ${key}`)
          await objects.copy({ key }, `copy/${randomUUID()}`, labels)
        }
        const byBytes = [...hostile].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        assert.deepEqual(
          (await keys(objects, '')).filter((key) => !key.startsWith('copy/')),
          byBytes,
        )
        for (const key of hostile) {
          await objects.delete([key])
          assert.equal(await objects.head(key), undefined)
        }
      })
    }

    assert.deepEqual([...unknown], [], 'deviations of cases that there are')
  })
}

/** All keys with a prefix, page by page. */
export async function keys(objects: ObjectReader, prefix: string, limit?: number): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { ...(limit && { limit }), ...(cursor && { cursor }) })
    assert.ok(page.objects.length <= (limit ?? 1000))
    found.push(...page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor)
  return found
}

export async function bytes(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray())
}

export async function text(stream: Readable): Promise<string> {
  return (await bytes(stream)).toString()
}

export async function sha256(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function pieces(body: Buffer, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size)
    })(),
  )
}

function failingAfter(good: number): Readable {
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < good; sent += 65_536) yield Buffer.alloc(Math.min(65_536, good - sent))
      throw new Error('the source broke')
    })(),
  )
}
