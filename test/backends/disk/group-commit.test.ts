import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { GroupCommit } from '../../../shared/backends/disk/group-commit.ts'

/** Long enough for any test, short enough to wait for. */
const BUSY_TIMEOUT = 300

describe('group commit', () => {
  let folder = ''
  let database: DatabaseSync
  let writes: GroupCommit
  /** What another process would see. */
  let other: DatabaseSync
  const insert = (name: string) => database.prepare('INSERT INTO names VALUES (?)').run(name)
  const committed = () =>
    other
      .prepare('SELECT name FROM names ORDER BY rowid')
      .all()
      .map(({ name }) => name)
  const failing = (name: string, error: Error) => () => {
    insert(name)
    throw error
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'group-commit-'))
    const path = join(folder, 'names.db')
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
    database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE names (name TEXT UNIQUE);
      CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`)
    other = new DatabaseSync(path)
    writes = new GroupCommit(database, BUSY_TIMEOUT)
  })
  afterEach(async () => {
    if (database.isOpen) database.close()
    other.close()
    await rm(folder, { recursive: true })
  })

  test('writes of one turn become visible together, in their order, before any is answered', async () => {
    const seen: unknown[] = []
    const first = writes.write(
      () => insert('a').changes,
      () => seen.push(committed()),
    )
    const second = writes.write(() => {
      seen.push(committed())
      insert('b')
    })
    void first.then(() => seen.push('answered'))
    assert.equal(await first, 1)
    await second
    assert.deepEqual(seen, [[], ['a', 'b'], 'answered'])
  })

  test('one that fails takes back its own changes alone, and is told so after the commit', async () => {
    const fault = new Error('of its own')
    const seen: unknown[] = []
    const one = writes.write(() => insert('a'))
    const two = writes.write(failing('b', fault)).catch((error: unknown) => seen.push(error, committed()))
    const three = writes.write(() => insert('c'))
    await Promise.all([one, two, three])
    assert.deepEqual(seen, [fault, ['a', 'c']])
  })

  test('a commit that fails fails all of its group, also what failed before, and no later one', async () => {
    const group = [
      writes.write(() => insert('a')),
      writes.write(failing('b', new Error('of its own'))),
      writes.write(() => database.exec('INSERT INTO children VALUES (7)')),
    ]
    for (const outcome of await Promise.allSettled(group)) {
      assert.match(outcome.status === 'rejected' ? String(outcome.reason) : outcome.status, /FOREIGN KEY/)
    }
    await writes.write(() => insert('c'))
    assert.deepEqual(committed(), ['c'])
  })

  test('while another process holds the lock, the event loop goes on and writes gather', async () => {
    other.exec('BEGIN IMMEDIATE')
    const one = writes.write(() => insert('a'))
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    const two = writes.write(
      () => insert('b'),
      () => assert.deepEqual(committed(), ['a', 'b']),
    )
    other.exec('COMMIT')
    await Promise.all([one, two])
  })

  test('a lock that is held too long fails the writes that waited for it, and no later one', async () => {
    other.exec('BEGIN IMMEDIATE')
    await assert.rejects(
      writes.write(() => insert('a')),
      /locked/,
    )
    const later = writes.write(() => insert('b'))
    other.exec('COMMIT')
    await later
    assert.deepEqual(committed(), ['b'])
  })

  test('what waits is committed before the database is closed, and later writes fail', async () => {
    const one = writes.write(() => insert('a'))
    writes.end()
    assert.deepEqual(committed(), ['a'])
    await one
    database.close()
    await assert.rejects(writes.write(() => undefined))
  })

  test('a write at once is a transaction of its own, also while others wait', async () => {
    const waiting = writes.write(() => insert('b'))
    writes.writeNow(() => insert('a'))
    assert.deepEqual(committed(), ['a'])
    assert.throws(() => writes.writeNow(failing('c', new Error('of its own'))), /of its own/)
    await waiting
    assert.deepEqual(committed(), ['a', 'b'])
  })
})
