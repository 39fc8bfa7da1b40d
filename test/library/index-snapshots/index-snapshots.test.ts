import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { IndexBehind } from '../../../shared/backends/search/port.ts'
import { type StoredSnapshot, snapshotObject, snapshotsKey } from '../../../shared/library/index-snapshots/record.ts'
import { openIndexSnapshots } from '../../support/index-snapshots.ts'
import { COMPANY } from '../../support/media.ts'

const LARGE = 5_001

/** A company that is too large for an index of its own in each process, with its first snapshot. */
async function withSnapshot() {
  const library = await openIndexSnapshots()
  await library.files(1, LARGE)
  await library.run()
  library.clock.advance(60)
  return library
}

const newest = async (library: Awaited<ReturnType<typeof withSnapshot>>): Promise<StoredSnapshot> =>
  (await library.record())!.snapshots![0]!

/** Stores something else in place of a snapshot. */
async function damage({ objects, record }: Awaited<ReturnType<typeof withSnapshot>>, nth = 0): Promise<void> {
  const key = snapshotObject(COMPANY, (await record())!.snapshots![nth]!)
  const bytes = Buffer.concat(await (await objects.get(key)).stream.toArray())
  bytes[bytes.length >> 1]! ^= 1
  await objects.put(key, bytes, { contentType: 'application/zstd' })
}

describe('a company without a snapshot', () => {
  test('that is large is not built by a search: a snapshot is asked for once, and searches wait for it', async () => {
    const library = await openIndexSnapshots()
    await library.files(1, LARGE)
    const { total } = await library.process()
    for (let n = 0; n < 5; n++) await assert.rejects(total(), IndexBehind)
    assert.deepEqual(await library.asked(), [{ companyId: COMPANY, newerThan: 0 }])
    assert.equal(library.builds(), 0)
    await library.work()
    assert.equal(await total(), LARGE)
    assert.equal(library.builds(), 1)
    assert.deepEqual(await library.asked(), [])
  })

  test('that the process can use is built by a search where there are few files: after an update that changes the format', async () => {
    const library = await openIndexSnapshots()
    await library.files(1, 300)
    const old: StoredSnapshot = { name: 'old', format: 1, asOf: 1, made: 1, isComplete: true, bytes: 1, stored: 1 }
    await library.table.put({ ...snapshotsKey(COMPANY), companyId: COMPANY, snapshots: [old] })
    assert.equal(await (await library.process()).total(), 300)
    assert.deepEqual(await library.asked(), [])
  })
})

describe('a process that begins', () => {
  test('takes the snapshot, and from the feed what came since', async () => {
    const library = await withSnapshot()
    await library.files(LARGE + 1, LARGE + 20)
    const { total, search, folder } = await library.process()
    assert.equal(await total(), LARGE + 20)
    assert.equal((await search({ terms: [{ words: ['file', '5010'], matching: 'word', excluded: false }] })).total, 1)
    assert.equal(library.builds(), 1)
    assert.deepEqual(await readdir(folder).then((names) => names.filter((name) => !name.includes('-'))), [`${COMPANY}.sqlite`])
  })

  test('removes what did not arrive before it was ended', async () => {
    const library = await withSnapshot()
    const { folder, engine } = await library.process()
    await engine.close()
    await writeFile(join(folder, `${COMPANY}.sqlite.a-b.arriving`), 'half')
    const { embeddedSearch } = await import('../../../shared/backends/search/embedded.ts')
    await embeddedSearch({
      directory: folder,
      feed: { changes: () => assert.fail('not searched'), documents: () => assert.fail('not searched') },
    }).close()
    assert.deepEqual(await readdir(folder), [])
  })

  test('answers from the snapshot before where the newest is damaged, which is reported and made again', async () => {
    const library = await withSnapshot()
    await library.files(LARGE + 1, LARGE + 1_000)
    await library.run({ newerThan: library.clock.now() })
    const damaged = await newest(library)
    await damage(library)
    const { total } = await library.process()
    assert.equal(await total(), LARGE + 1_000)
    assert.match(library.errors().join(), new RegExp(damaged.name))
    assert.deepEqual(await library.asked(), [{ companyId: COMPANY, newerThan: damaged.asOf, damaged: damaged.name }])
    library.clock.advance(60)
    await library.work()
    const names = (await library.record())!.snapshots!.map(({ name }) => name)
    assert.equal(names.length, 2)
    assert.ok(!names.includes(damaged.name))
    assert.equal(await (await library.process()).total(), LARGE + 1_000)
    assert.equal(library.builds(), 1)
  })

  test('leaves no file where the snapshot has no room, and says so', async () => {
    const library = await withSnapshot()
    const { total, folder } = await library.process({ maxBytes: 500_000 })
    await assert.rejects(total(), { name: 'IndexTooLarge' })
    assert.deepEqual(await readdir(folder), [])
  })
})

describe('a new snapshot', () => {
  test('is asked for when an index has taken 2,000 changes since the last one, by one of all processes', async () => {
    const library = await withSnapshot()
    const processes = [await library.process(), await library.process()]
    for (const { total } of processes) assert.equal(await total(), LARGE)
    await library.files(LARGE + 1, LARGE + 1_999)
    for (const { total } of processes) await total()
    assert.deepEqual(await library.asked(), [])
    await library.files(LARGE + 2_000, LARGE + 2_000)
    await processes[0]!.total()
    assert.equal(await library.work(), 1)
    library.clock.advance(120)
    await processes[1]!.total()
    assert.deepEqual(await library.asked(), [])
    assert.equal((await library.record())!.snapshots!.length, 2)
  })

  test('that cannot be asked for fails no search, and is asked for by the next one', async () => {
    const library = await withSnapshot()
    const { total } = await library.process()
    await library.files(LARGE + 1, LARGE + 2_000)
    library.setDown(true)
    assert.equal(await total(), LARGE + 2_000)
    library.setDown(false)
    await library.files(LARGE + 2_001, LARGE + 2_001)
    assert.equal(await total(), LARGE + 2_001)
    assert.equal((await library.asked()).length, 1)
  })
})
