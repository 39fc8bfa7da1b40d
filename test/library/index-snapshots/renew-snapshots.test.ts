import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { INDEX_FORMAT } from '../../../shared/backends/search/index-file.ts'
import { companyKey, listingKey } from '../../../shared/library/accounts/companies.ts'
import { snapshotsKey } from '../../../shared/library/index-snapshots/record.ts'
import { renewSnapshots } from '../../../shared/library/index-snapshots/renew-snapshots.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { openIndexSnapshots } from '../../support/index-snapshots.ts'
import { COMPANY } from '../../support/media.ts'

/** The format of the version before. */
const OLD = INDEX_FORMAT - 1
const FILES = 700
const DAY = 86_400

type Snapshots = Awaited<ReturnType<typeof openIndexSnapshots>>

/** The job of another version: its index files have another format. */
function jobOf(library: Snapshots, format: number) {
  const job = library.job()
  return { ...job, indexWriter: { ...job.indexWriter, format } }
}

/** Makes a snapshot of a format, a minute later, whether or not it is needed. */
async function make(library: Snapshots, format: number): Promise<void> {
  library.clock.advance(60)
  await library.run({ newerThan: library.clock.now() - 1 }, jobOf(library, format))
}

async function listed({ table, clock }: Snapshots, companyId: CompanyId): Promise<void> {
  await table.put({ ...companyKey(companyId), companyId, name: 'Company', created: clock.now() })
  await table.put({ ...listingKey(companyId), companyId })
}

/** A company whose snapshot has the format of the version before. */
async function setUp(): Promise<Snapshots> {
  const library = await openIndexSnapshots()
  await listed(library, COMPANY)
  await library.files(1, FILES)
  await library.table.put({ ...snapshotsKey(COMPANY), companyId: COMPANY, snapshots: [await placeholder(library)] })
  await make(library, OLD)
  return library
}

/** Spares a test the thousands of files that ask for a first snapshot. */
async function placeholder({ clock }: Snapshots) {
  return { name: 'earlier', format: 0, asOf: clock.now(), made: clock.now(), isComplete: true, bytes: 1, stored: 1 }
}

/** Whether searches by a format have a snapshot, all of whose bytes are there. */
async function isReadable(library: Snapshots, format: number): Promise<boolean> {
  const [newest] = await library.reader().find(COMPANY, format)
  if (!newest) return false
  assert.ok((await text(await newest.read(0, newest.stored - 1))).length > 0)
  return true
}

describe('an update with another format of indexes', () => {
  test('has its snapshots made while searches use the old ones, and the first search after it begins with the new one', async () => {
    const library = await setUp()
    let looks = 0
    assert.equal(await isReadable(library, INDEX_FORMAT), false)
    await renewSnapshots(library.asking, INDEX_FORMAT, async () => {
      looks++
      assert.ok(await isReadable(library, OLD))
      await library.work()
    })
    assert.equal(looks, 1)
    assert.ok((await isReadable(library, OLD)) && (await isReadable(library, INDEX_FORMAT)))
    const builds = library.builds()
    assert.equal(await (await library.process()).total(), FILES)
    assert.equal(library.builds(), builds, 'the process that searched built no index')
    assert.deepEqual(await library.asked(), [])

    await renewSnapshots(library.asking, INDEX_FORMAT, () => assert.fail('nothing is left to wait for'))
  })

  test('keeps the old snapshots for a day, however many new ones are made, and removes them then', async () => {
    const library = await setUp()
    for (let n = 1; n <= 5; n++) {
      await library.files(FILES * n + 1, FILES * (n + 1))
      await make(library, INDEX_FORMAT)
      assert.ok(await isReadable(library, OLD), `after ${n} new ones`)
    }
    for (let hours = 0; hours < 25; hours += 5) {
      library.clock.advance(5 * 3_600)
      await make(library, INDEX_FORMAT)
    }
    assert.equal(await isReadable(library, OLD), false)
    assert.ok(await isReadable(library, INDEX_FORMAT))
    assert.equal((await library.stored()).length, (await library.record())?.snapshots?.length)
  })

  test('that is rolled back leaves the old version its snapshots, for good', async () => {
    const library = await setUp()
    await make(library, INDEX_FORMAT)
    for (let days = 0; days < 3; days++) {
      library.clock.advance(DAY + 1)
      // The old version's job comes by the sweep, and finds no change.
      await library.run({}, jobOf(library, OLD))
      assert.ok(await isReadable(library, OLD))
    }
    assert.equal(await isReadable(library, INDEX_FORMAT), false)
  })
})
