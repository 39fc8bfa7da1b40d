import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { askForSnapshot, snapshotJob } from '../../../shared/library/index-snapshots/job.ts'
import { type StoredSnapshot, snapshotObject, snapshotsKey } from '../../../shared/library/index-snapshots/record.ts'
import { jobIdOf } from '../../../shared/library/jobs/job.ts'
import { cancelJob } from '../../../shared/library/jobs/operator.ts'
import { openIndexSnapshots } from '../../support/index-snapshots.ts'
import { COMPANY } from '../../support/media.ts'

const DAY = 86_400

/** Two snapshots of a company's index. */
async function twice() {
  const library = await openIndexSnapshots()
  const { table, clock, objects: media } = library
  await library.files(1, 20)
  const older: StoredSnapshot = { name: 'older', format: 0, asOf: 0, made: clock.now(), isComplete: true, bytes: 1, stored: 1 }
  await media.put(snapshotObject(COMPANY, older), Buffer.from('x'), { contentType: 'application/zstd' })
  await table.put({ ...snapshotsKey(COMPANY), companyId: COMPANY, snapshots: [older] })
  clock.advance(60)
  const { by } = library.job()
  await askForSnapshot({ table, clock, by, snapshotJobs: table }, COMPANY, { newerThan: clock.now() - 1 })
  await library.work()
  return {
    ...library,
    /** What is wrong with snapshots. The set-up's files are no complete ones. */
    async check() {
      const problems = await checkLibrary({ table, scanner: table, media, clock }, { pauses: [0] })
      return problems.map(({ problem }) => problem).filter((code) => code.includes('snapshot') || code === 'unknown_object')
    },
  }
}

test('snapshots of search indexes: what is wrong with them is found, and nothing else', async () => {
  const { check, record, objects, table, clock, job } = await twice()
  const expect = async (...found: ProblemCode[]) => assert.deepEqual(await check(), found)
  const { snapshots = [] } = (await record())!
  const [newest] = snapshots
  assert.equal(snapshots.length, 2)
  await expect()

  await objects.put(snapshotObject(COMPANY, { name: 'lost' }), Buffer.from('x'), { contentType: 'application/zstd' })
  await expect()
  clock.advance(2 * DAY)
  await expect('snapshot_unused')
  await objects.delete([snapshotObject(COMPANY, { name: 'lost' })])

  await table.update(snapshotsKey(COMPANY), { set: { snapshots: [{ ...newest!, stored: 1 }, snapshots[1]!] } })
  await expect('snapshot_missing')
  await table.update(snapshotsKey(COMPANY), { set: { snapshots } })
  await objects.delete([snapshotObject(COMPANY, newest!)])
  await expect('snapshot_missing')
  await table.update(snapshotsKey(COMPANY), { set: { snapshots: [] } })
  await expect('snapshot_unused')
  await table.update(snapshotsKey(COMPANY), { set: { snapshots } })
  await cancelJob(job(), jobIdOf({ kind: snapshotJob.name, subject: String(COMPANY) }))
  await expect('snapshot_not_swept', 'snapshot_missing')
})
