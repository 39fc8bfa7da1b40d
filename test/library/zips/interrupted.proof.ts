import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { buildZip as zipFunction } from '../../../functions/jobs/build-zip.ts'
import { expireZip } from '../../../functions/jobs/expire-zip.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { ObjectsUnavailable, type PartRules } from '../../../shared/backends/objects/port.ts'
import type { JobActor } from '../../../shared/library/actor.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { getJob } from '../../../shared/library/jobs/job.ts'
import { cancelJob, listJobs } from '../../../shared/library/jobs/operator.ts'
import { LEASE_MS, performJob } from '../../../shared/library/jobs/perform.ts'
import { ATTEMPTS } from '../../../shared/library/jobs/retries.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { stateOf } from '../../../shared/library/jobs/states.ts'
import type { Building } from '../../../shared/library/zips/build-zip.ts'
import { zipJob } from '../../../shared/library/zips/job.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { always, never, SMALL_PARTS, setUp } from './set-up.ts'

/** A folder with small files and large ones, a picture among them, of which zips are made. */
async function zipped(rules?: PartRules) {
  const world = await setUp(rules)
  const { folder, file, request } = world
  const top = await folder('Top')
  const inner = await folder('Inner', top.folderId)
  const wanted: Record<string, string> = {}
  const add = async (name: string, content: string, more = {}) => {
    await file(inner, name, content, more)
    wanted[`Inner/${name}`] = content
  }
  for (let n = 0; n < 12; n += 1) {
    await add(`small ${n}.txt`, `small ${n}`)
    await add(`large ${n}.txt`, String.fromCharCode(97 + n).repeat(700 + n))
  }
  await add('picture.jpg', 'picture', { mime: 'image/jpeg', title: { en: 'Title' } })
  wanted['Inner/picture.jpg'] += ' with {"title":"Title"}'
  return { ...world, wanted, ask: async () => (await request(top.folderId)).jobId }
}

type Zipped = Awaited<ReturnType<typeof zipped>>

const isOver = async ({ library }: Zipped, jobId: string) => (await findZip(library, jobId))?.state !== 'PENDING'

/** The zip is right, and what a run that ended too early left behind goes with it. */
async function assertWhole({ library, contentsOf, wanted, clock, building, stored }: Zipped, jobId: string, what: string): Promise<void> {
  const zip = (await findZip(library, jobId))!
  assert.equal(zip.state, 'DONE', what)
  assert.deepEqual(await contentsOf(zip), wanted, what)
  assert.equal((await getJob(library, `send-mail.zip-${jobId}`))?.asked, 1, `${what}: its requester is told once`)
  clock.advance(2 * 86_400)
  await runDueJobs(building, expireZip)
  assert.deepEqual(await stored(), [], what)
}

describe.each([
  ['as one machine stores it', { rules: undefined, every: 1 }],
  // It takes many more calls.
  ['under rules like those of S3', { rules: SMALL_PARTS, every: 7 }],
])('a zip, %s', (_, { rules, every }) => {
  test('is made by runs of which each does one step', async () => {
    const world = await zipped(rules)
    const jobId = await world.ask()
    const { runs } = await world.build(jobId, always)
    assert.ok(runs > 5, `${runs} runs`)
    await assertWhole(world, jobId, 'one step a run')
  })

  test.each(['before', 'after'] as const)('is made although a run ends %s a call', async (when) => {
    const world = await zipped(rules)
    const { building, work, ask, clock, library } = world
    let failing = 1
    for (let wasReached = true; wasReached; failing += every) {
      const jobId = await ask()
      const faults = new Faults(failing, when)
      const [media, table] = [faults.in(building.media), faults.in(building.table)]
      const faulty: Building = { ...building, media, table }
      const outOfTime = failing % 2 === 0 ? always : never
      await unlessEnded(work(outOfTime, faulty))
      wasReached = faults.hasFailed
      // Its lease ends, and after a pause it runs again.
      for (let looks = 0; looks < 2; looks += 1) {
        clock.advance(LEASE_MS / 1_000 + 1)
        await work(outOfTime)
      }
      assert.equal(await getJob(library, `build-zip.${jobId}`), undefined)
      await assertWhole(world, jobId, `${when} call ${failing}`)
    }
    assert.ok(failing > 20, `${failing} calls`)
  })

  test('is made once by several runs at the same time, and later ones', async () => {
    const world = await zipped(rules)
    const { library, build } = world
    const jobId = await world.ask()
    await Promise.all([1, 2, 3].map((n) => build(jobId, n === 2 ? never : always)))
    if (!(await isOver(world, jobId))) await build(jobId)
    const done = await findZip(library, jobId)
    await build(jobId)
    assert.deepEqual(await findZip(library, jobId), done)
    await assertWhole(world, jobId, 'several at a time')
  })
})

test('a zip whose job fails again and again has failed, and its job counts as failed until it is looked at again', async () => {
  const world = await zipped()
  const { building, library, clock, table, ask } = world
  const jobId = await ask()
  const media = instead(building.media, { get: () => Promise.reject(new ObjectsUnavailable('storage is away')) })
  const jobs = { table, clock, log: building.log }
  const { by, ...given } = { ...building, media, settings: settingsAt('https://media.example.com', defaultSettings) }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    assert.equal((await findZip(library, jobId))?.state, 'PENDING')
    clock.advance(400)
    await reviveJobs(jobs, zipJob.name)
    const job = (await claimNext(jobs, zipJob.name, undefined, LEASE_MS))!
    await performJob(jobs, job, () => zipFunction.handle({ ...given, by: by as JobActor, job }))
  }
  assert.equal((await findZip(library, jobId))?.state, 'FAILED')
  assert.equal(stateOf((await getJob(library, `build-zip.${jobId}`))!), 'failed')
  clock.advance(3_600)
  await world.work()
  assert.equal(await getJob(library, `build-zip.${jobId}`), undefined)
})

test('a zip whose job an operator cancels has failed, and the run that has the job can do nothing more', async () => {
  const world = await zipped()
  const { building, library, clock, ask, stored } = world
  const jobId = await ask()
  const media = instead(building.media, {
    async completeComposition(composition, expected) {
      await cancelJob(library, `build-zip.${jobId}`, zipFunction.cancelled)
      return building.media.completeComposition(composition, expected)
    },
  })
  await world.work(never, { ...building, media })
  assert.equal((await findZip(library, jobId))?.state, 'FAILED')
  assert.deepEqual(await listJobs(library, ['build-zip', 'send-mail'], {}), [])
  clock.advance(2 * 86_400)
  await runDueJobs(building, expireZip)
  assert.deepEqual(await stored(), [])
})
