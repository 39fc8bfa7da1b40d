import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { HeldReadLock } from '../../../shared/backends/disk/held-read-lock.ts'
import { enterWalMode } from '../../../shared/backends/disk/wal-mode.ts'

describe('a held read lock', () => {
  let directory: string
  let file: string
  const open: { close(): void }[] = []
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'held-read-lock-'))
    file = join(directory, 'held.sqlite')
    const database = opened()
    enterWalMode(database)
    database.exec('CREATE TABLE texts (text TEXT); PRAGMA wal_autocheckpoint = 100')
  })
  afterEach(async () => {
    for (const each of open.splice(0)) each.close()
    await rm(directory, { recursive: true })
  })
  function opened(): DatabaseSync {
    const database = new DatabaseSync(file)
    open.push(database)
    return database
  }
  function held(): HeldReadLock {
    const lock = new HeldReadLock(file, 'texts')
    open.unshift(lock)
    return lock
  }

  test('keeps nobody from seeing what others commit in the same turn, nor from committing', () => {
    const [lock, reader, writer] = [held(), opened(), opened()]
    const count = reader.prepare('SELECT count(*) AS count FROM texts')
    for (let n = 0; n < 5; n++) {
      lock.hold()
      assert.equal(count.get()!.count, n)
      writer.exec("INSERT INTO texts VALUES ('new')")
      assert.equal(count.get()!.count, n + 1)
    }
  })

  test('is given back at the end of the turn, so that the WAL is emptied', async () => {
    const [lock, writer] = [held(), opened()]
    writer.exec('PRAGMA wal_autocheckpoint = 100')
    const insert = writer.prepare('INSERT INTO texts VALUES (?)')
    for (let n = 0; n < 700; n++) {
      lock.hold()
      await nextTurn()
      insert.run('x'.repeat(4_000))
    }
    assert.ok(statSync(`${file}-wal`).size < 2 * 1024 * 1024)
  })

  test('is no failure where it cannot be had: the read tells what is wrong', () => {
    const lock = held()
    opened().exec('DROP TABLE texts')
    lock.hold()
    lock.hold()
  })
})
