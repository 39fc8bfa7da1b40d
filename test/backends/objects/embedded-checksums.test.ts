import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { beforeEach, describe, it } from 'vitest'
import { filesNamedBy } from '../../../shared/backends/objects/embedded-backup.ts'
import { expectationOf, inOrder } from './compositions-contract.ts'
import { bucketOfTest, type TemporaryObjects } from './temporary-objects.ts'

const labels = { contentType: 'image/jpeg' }

describe('checksums of embedded objects', () => {
  let bucket: TemporaryObjects
  let other: TemporaryObjects
  beforeEach(async () => {
    bucket = await bucketOfTest()
    other = await bucketOfTest()
  })

  const inIndex = <T>(use: (index: DatabaseSync) => T): T => {
    const index = new DatabaseSync(join(bucket.directory, 'index.db'))
    try {
      return use(index)
    } finally {
      index.close()
    }
  }
  /** What the index knows of the file of an object. */
  const known = (key: string) =>
    inIndex((index) => {
      const { file } = index.prepare('SELECT file FROM objects WHERE key = ?').get(Buffer.from(key)) as { file: string }
      return [...filesNamedBy(join(bucket.directory, 'index.db'))].find((named) => named.file === file)?.crc32
    })

  it('are known of bytes, files, compositions, and copies of them', async () => {
    const { objects, directory } = bucket
    const bytes = randomBytes(3_000_000)
    await objects.put('bytes', bytes, labels)
    const path = join(directory, 'of a tool')
    await writeFile(path, bytes)
    await objects.putFile('file', path, labels)
    await other.objects.put('elsewhere', bytes, labels)
    await objects.copy({ from: other.objects, key: 'elsewhere' }, 'copy', labels)
    const composition = await objects.beginComposition('composed', labels)
    await objects.storeParts(composition, inOrder([{ number: 1, bytes }]))
    await objects.completeComposition(composition, expectationOf(bytes))
    for (const key of ['bytes', 'file', 'copy', 'composed']) assert.equal(known(key), crc32(bytes), key)
  })

  it('of streams are known once who has read them copies them', async () => {
    const { objects } = bucket
    const { etag } = await other.objects.put('posted', Readable.from([Buffer.from('posted')]), labels)
    await objects.copy({ from: other.objects, key: 'posted' }, 'unknown', labels)
    assert.equal(known('unknown'), null)
    await objects.copy({ from: other.objects, key: 'posted', etag, crc32: crc32('posted') }, 'known', labels)
    assert.equal(known('known'), crc32('posted'))
  })
})
