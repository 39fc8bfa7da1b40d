import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { holdFiles } from '../../../shared/backends/objects/embedded-files.ts'
import { compositionsContract } from './compositions-contract.ts'
import { objectsContract, text, twoBuckets } from './contract.ts'
import { allFiles, bucketOfTest, objectFiles, type TemporaryObjects, temporaryObjects } from './temporary-objects.ts'

for (const contract of [objectsContract, compositionsContract]) contract('embedded', () => twoBuckets(temporaryObjects))

const labels = { contentType: 'image/jpeg' }

const clock = { ...systemClock, now: () => 1_700_000_000_000 }

describe('embedded objects', () => {
  function inBucket(title: string, check: (bucket: TemporaryObjects) => Promise<void>): void {
    test(title, async () => check(await bucketOfTest(clock)))
  }

  inBucket('files that are held stay when their objects go, until they are held no longer', async ({ directory, objects }) => {
    const stored = async () => (await allFiles(directory)).filter((file) => file.startsWith('data')).length
    await objects.put('a', Buffer.from('a'), labels)
    const release = holdFiles(directory)
    await objects.put('a', Buffer.from('b'), labels)
    await objects.delete(['a'])
    assert.equal(await stored(), 2)
    // Another process that opens the bucket cleans up.
    openEmbeddedObjects(directory).close()
    assert.equal(await stored(), 2)
    await writeFile(join(directory, 'holds', '999999999-killed'), '')
    release()
    await objects.put('b', Buffer.from('c'), labels)
    assert.equal(await stored(), 1)
  })

  inBucket('no key ever makes a file outside of the directory, or is the name of one inside', async ({ directory, objects }) => {
    const segment = fc.oneof(fc.constantFrom('..', '.', '', '~', 'index.db', 'incoming', 'data', 'C:'), fc.string({ unit: 'binary' }))
    const key = fc
      .array(segment, { minLength: 1, maxLength: 6 })
      .map((segments) => segments.join('/'))
      .filter((key) => key !== '' && key.isWellFormed() && !key.includes('\0') && Buffer.byteLength(key) <= 1024)
    await fc.assert(
      fc.asyncProperty(key, async (key) => {
        await objects.put(key, Buffer.from(key), labels)
        assert.equal(await text((await objects.get(key)).stream), key)
        for (const file of await allFiles(directory)) assert.match(file, FILE_NAMES)
        await objects.delete([key])
        assert.equal(await objects.head(key), undefined)
      }),
      { numRuns: 30 },
    )
    assert.deepEqual(await readdir(dirname(directory)), ['bucket'])
  })

  inBucket('nothing stays on the disk of what was deleted, replaced or failed', async ({ directory, objects }) => {
    await objects.put('one', Buffer.from('1'), labels)
    await objects.put('one', Buffer.from('2'), labels)
    await objects.copy({ key: 'one' }, 'two', labels)
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('3')
        throw new Error('broke')
      })(),
    )
    await assert.rejects(objects.put('three', broken, labels))
    await objects.delete(['one', 'two'])
    assert.deepEqual(await objectFiles(directory), [])
  })

  inBucket('what a dead process was writing is cleared up at the next opening, what a live one is writing is not', async (bucket) => {
    const { directory, objects } = bucket
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'exit')
    // A restarted container's server has the pid of the one before it.
    for (const pid of [ended.pid, process.pid]) {
      const left = join(directory, 'incoming', `${pid}-left`)
      await mkdir(left)
      await writeFile(join(left, 'half'), 'half a file')
    }
    const { promise: waiting, resolve: go } = Promise.withResolvers<void>()
    const slow = objects.put('slow', Readable.from(slowly(waiting)), labels)
    openEmbeddedObjects(directory).close()
    assert.deepEqual(
      (await allFiles(join(directory, 'incoming'))).filter((file) => file.includes('half')),
      [],
    )
    go()
    await slow
    assert.equal(await text((await objects.get('slow')).stream), 'begun and ended')
  })
})

/** The index, and files named by 32 random digits. */
const FILE_NAMES = /^(index\.db(-wal|-shm)?|incoming\/[^/]+\/[0-9a-f]{32}|data\/[0-9a-f]{2}\/[0-9a-f]{32})$/

async function* slowly(waiting: Promise<void>): AsyncGenerator<string> {
  yield 'begun '
  await waiting
  yield 'and ended'
}
