import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { jobKey } from '../../../shared/library/jobs/job.ts'
import { buildZip } from '../../../shared/library/zips/build-zip.ts'
import { latestZipKey, zipObjects } from '../../../shared/library/zips/zip.ts'
import { always, setUp } from '../zips/set-up.ts'

const DAY = 86_400

/** A folder with a file, and two zips of it: one that is there, and one that is being made for somebody else. */
async function zipped() {
  const world = await setUp()
  const { folder, file, request, build, building, add, clock, table, media } = world
  const top = await folder('Top')
  await file(top, 'a.txt', 'A')
  const { zip: done } = await build((await request(top.folderId)).jobId)
  const another = { kind: 'user' as const, user: await add('another', true) }
  const pending = await request(top.folderId, another)
  for (let runs = 0; runs < 3; runs += 1) await buildZip(building, pending.jobId, always)
  return {
    ...{ ...world, top, done, pending },
    /** What is wrong with zips. The set-up's files are no complete ones. */
    async check() {
      const problems = await checkLibrary({ table, scanner: table, media, clock }, { pauses: [0] })
      return problems.map(({ problem }) => problem).filter((code) => code.includes('zip'))
    },
  }
}

test.each<[what: string, damage: (world: Awaited<ReturnType<typeof zipped>>) => unknown, found: ProblemCode[]]>([
  ['an archive that is not stored', ({ media, done }) => media.delete([done.archive!]), ['zip_not_stored']],
  [
    'objects without a zip',
    ({ media }) => media.put(`${zipObjects.everything('nothing')}archive`, Buffer.from('x'), { contentType: 'application/zip' }),
    ['zip_unrecorded'],
  ],
  [
    'a request that leads to nothing',
    ({ table, done, top }) => table.put({ ...latestZipKey(done.requester, top.folderId), jobId: 'nothing' }),
    ['latest_zip_missing'],
  ],
  ['a zip that nobody makes', ({ table, pending }) => table.delete(jobKey(`build-zip.${pending.jobId}`)), ['zip_without_job']],
  ['a zip that would never be removed', ({ table, done }) => table.delete(jobKey(`expire-zip.${done.jobId}`)), ['zip_without_expiry']],
  ['a job that does not end', ({ clock }) => clock.advance(3 * DAY), ['zip_stuck']],
])('%s is found', async (_, damage, found) => {
  const world = await zipped()
  await damage(world)
  assert.deepEqual((await world.check()).sort(), found)
})
