import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { askForSnapshot, getSnapshotJob, snapshotJob } from '../../../shared/library/index-snapshots/job.ts'
import { type StoredSnapshot, snapshotsKey } from '../../../shared/library/index-snapshots/record.ts'
import type { SnapshotWriting } from '../../../shared/library/index-snapshots/write-snapshot.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS } from '../../../shared/library/jobs/perform.ts'
import { Faults } from '../../support/faults.ts'
import { openIndexSnapshots } from '../../support/index-snapshots.ts'
import { COMPANY } from '../../support/media.ts'

const HOUR = 3_600
const FILES = 700

type Snapshots = Awaited<ReturnType<typeof openIndexSnapshots>>

/** A company with files, with a snapshot of another format. (That spares a test the thousands of files that ask for the first one.) */
async function setUp(): Promise<Snapshots> {
  const library = await openIndexSnapshots()
  await library.files(1, FILES)
  const earlier: StoredSnapshot = { name: 'earlier', format: 0, asOf: 0, made: 0, isComplete: true, bytes: 1, stored: 1 }
  await library.table.put({ ...snapshotsKey(COMPANY), companyId: COMPANY, snapshots: [earlier] })
  library.clock.advance(60)
  return library
}

/** More files, and another run, a minute later. */
async function another(library: Snapshots, n: number, job?: SnapshotWriting): Promise<unknown> {
  await library.files(FILES * n + 1, FILES * (n + 1))
  library.clock.advance(60)
  return library.run({ newerThan: library.clock.now() - 1 }, job)
}

const found = async (library: Snapshots) => (await library.process()).total()
/** Of the snapshots that there are, newest first. */
const names = async (library: Snapshots) =>
  (await library.record())!.snapshots!.filter(({ format }) => format !== 0).map(({ name }) => name)
const storedNames = async (library: Snapshots) => (await library.stored()).map((key) => key.split('/').at(-1)!)

describe('a job that is killed', () => {
  test.for(['before', 'after'] as const)('%s a call is done by the next one, and leaves nothing', async (when) => {
    // Each fourth call, because it takes long.
    for (let call = when === 'before' ? 1 : 3; ; call += 4) {
      const library = await setUp()
      await library.run()
      const [job, faults] = [library.job(), new Faults(call, when)]
      const dying = { ...job, table: faults.in(job.table), snapshotFiles: faults.in(job.snapshotFiles) }
      await another(library, 1, dying).catch((error: unknown) => assert.ok(faults.hasFailed, String(error)))
      if (!faults.hasFailed) break
      // Searches are answered whatever it left.
      assert.equal(await found(library), 2 * FILES)
      library.clock.advance(HOUR)
      await another(library, 2)
      library.clock.advance(2 * HOUR)
      await another(library, 3)
      assert.equal(await found(library), 4 * FILES)
      assert.deepEqual(new Set(await storedNames(library)), new Set(await names(library)), `call ${call}`)
      assert.equal(library.builds(), 1)
    }
  })

  test('is done by another run, which comes again a day after a snapshot was replaced, and removes that', async () => {
    const library = await setUp()
    const { table, by } = library.job()
    const { clock } = library
    const jobs = { table, clock }
    await askForSnapshot({ table, clock, by, snapshotJobs: table }, COMPANY, { newerThan: 0 })
    assert.ok(await claimNext(jobs, snapshotJob.name, undefined, LEASE_MS))
    clock.advance(LEASE_MS / 1_000)
    assert.equal(await library.work(), 0)
    clock.advance(60)
    assert.equal(await library.work(), 1)
    assert.equal(await found(library), FILES)
    assert.equal((await names(library)).length, 1)

    await library.files(FILES + 1, 2 * FILES)
    clock.advance(60)
    await askForSnapshot({ table, clock, by, snapshotJobs: table }, COMPANY, { newerThan: clock.now() - 1 })
    assert.equal(await library.work(), 1)
    assert.equal((await names(library)).length, 2)
    clock.advance(23 * HOUR)
    assert.equal(await library.work(), 0)
    clock.advance(HOUR)
    assert.equal(await library.work(), 1)
    assert.equal((await names(library)).length, 1)
    assert.deepEqual(await storedNames(library), await names(library))
    assert.equal(await getSnapshotJob(library, COMPANY), undefined)
  })
})

describe('jobs of one company', () => {
  test('of which one counted as crashed and goes on: the first to end wins', async () => {
    const library = await setUp()
    const job = library.job()
    const [opened, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: SnapshotWriting = {
      ...job,
      indexWriter: {
        ...job.indexWriter,
        async open(companyId, snapshots) {
          opened.resolve()
          await held.promise
          return job.indexWriter.open(companyId, snapshots)
        },
      },
    }
    const first = library.run({}, slow)
    await opened.promise
    library.clock.advance(HOUR)
    await library.run()
    const after = await names(library)
    held.resolve()
    await first
    assert.deepEqual(await names(library), after)
    library.clock.advance(2 * HOUR)
    await another(library, 1)
    assert.deepEqual(new Set(await storedNames(library)), new Set(await names(library)))
  })

  test('that get too little time store what they have, and go on with it', async () => {
    const library = await setUp()
    await library.files(FILES + 1, 6_000)
    library.clock.advance(1)
    const { indexWriter, ...job } = library.job()
    const { format } = indexWriter
    const open = async (...given: Parameters<typeof indexWriter.open>) => (await indexWriter.open(...given))!
    // So little that the first run ends too soon on any machine, and so much more each time that one ends it.
    let milliseconds = 1
    const hasty: SnapshotWriting = {
      ...job,
      indexWriter: {
        format,
        async open(companyId, snapshots) {
          const index = await open(companyId, snapshots)
          return {
            ...index,
            unusable: index.unusable,
            base: index.base,
            catchUp: () => index.catchUp(milliseconds),
            pack: () => index.pack(),
            [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
          }
        },
      },
    }
    let runs = 0
    while (!(await library.record())!.snapshots![0]!.isComplete || runs === 0) {
      assert.ok(runs++ < 30, 'it gets on')
      await library.run({}, hasty)
      if ((await library.record())!.snapshots![0]!.isComplete) break
      milliseconds *= 2
      // Nobody searches in a part.
      await assert.rejects((await library.process()).total(), { name: 'IndexBehind' })
    }
    assert.ok(runs > 1, 'it took several runs')
    assert.equal(await found(library), 6_000)
  })
})

describe('a snapshot that has been replaced', () => {
  test('stays for a day, for those who find the newest damaged; of many the last three', async () => {
    const library = await setUp()
    await library.run()
    for (let n = 1; n <= 4; n++) await another(library, n)
    assert.equal((await names(library)).length, 3)
    library.clock.advance(23 * HOUR)
    await another(library, 5)
    assert.equal((await names(library)).length, 3)
    library.clock.advance(25 * HOUR)
    await another(library, 6)
    assert.equal((await names(library)).length, 2)
    library.clock.advance(2 * HOUR)
    await another(library, 7)
    assert.deepEqual(new Set(await storedNames(library)), new Set(await names(library)))
  })
})

test('an index that sleeps for longer than removals are known is made anew', async () => {
  const library = await setUp()
  await library.run()
  library.clock.advance(91 * 24 * HOUR)
  await another(library, 1)
  assert.equal(library.builds(), 2)
  assert.equal(await found(library), 2 * FILES)
  assert.equal((await names(library)).length, 1)
})
