import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { openEmbeddedQueues } from '../../../shared/backends/queue/embedded.ts'
import { QueueUnavailable } from '../../../shared/backends/queue/port.ts'
import type { QueueName } from '../../../shared/backends/queue/queues.ts'
import { createClique, deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { jobDue } from '../../../shared/library/due.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { getJob, type JobRecord, jobKey } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { linkCreation, linkKey, newLinkId } from '../../../shared/library/links/link.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { endSuggestions } from '../../../shared/library/media/suggestions.ts'
import { addAlias } from '../../../shared/library/publishing/aliases.ts'
import { sweepJobs } from '../../../shared/library/removals/sweep.ts'
import { type Deleted, removalJob, removalKey } from '../../../shared/library/tree/deletion.ts'
import { changeTree, removeFolders } from '../../../shared/library/tree/tree-store.ts'
import { finalizeUpload, registerUpload } from '../../../shared/library/uploads/uploads.ts'
import { ensureVideo, videoKey } from '../../../shared/library/videos/video.ts'
import { requestZip } from '../../../shared/library/zips/request.ts'
import { changeZip, findZip, zipKey } from '../../../shared/library/zips/zip.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type CliqueId, type FolderId, type LinkId, type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const HOUR = 3_600
const never = () => false

const getRemoval = ({ table }: Reading, deleted: Deleted) => table.get<JobRecord>(removalKey(deleted))

/** A library in which no change starts a job: all are lost. */
async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const directory = mkdtempSync(join(tmpdir(), 'jobs-test-'))
  const uploads = openEmbeddedObjects(join(directory, 'uploads'), clock)
  const queues = openEmbeddedQueues(join(directory, 'queues.db'), clock)
  onTestFinished(() => {
    uploads.close()
    queues.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { companyId, admin } = await openTestCompany(library)
  const acting = () => requestOf(library, admin)
  const create = (parent: FolderId | null = null) => createFolder(acting(), { name: 'Folder', parent })
  const imports = queues.queue('imports')
  const sweeping = { ...library, imports, log: jsonLog(() => undefined) }

  async function take(name: QueueName): Promise<unknown[]> {
    const deliveries = await queues.queue(name).receive(10)
    for (const { receipt } of deliveries) await queues.queue(name).delete(receipt)
    return deliveries.map(({ message }) => message)
  }
  return {
    ...{ library, clock, companyId, acting, create, sweeping },
    async upload(): Promise<MediaId> {
      const { folderId } = await create()
      const { uploadId, keyPrefix } = await registerUpload(acting(), folderId, undefined)
      await uploads.put(`${keyPrefix}a.jpg`, Buffer.from('a'), { contentType: 'binary/octet-stream' })
      return (await finalizeUpload({ table, uploads, clock, requestId: 'test' }, uploadId, undefined)).mediaId
    },
    /** A folder that an earlier version deleted, without a job. */
    async deletedFolder(): Promise<FolderId> {
      const { folderId } = await create()
      await deleteFolder(acting(), folderId)
      await table.delete(removalKey({ folderId }))
      await changeTree(library, companyId, (tree) => {
        const [folder] = tree.stored(new Set([folderId]))
        return { put: [{ ...folder!, ...jobDue(folderId, clock.now()) }] }
      })
      return folderId
    },
    /** The same of a clique. */
    async deletedClique(): Promise<CliqueId> {
      const { cliqueId } = await createClique(acting(), { companyId, name: 'Clique', thumbnail: null })
      await deleteClique(acting(), cliqueId)
      await table.delete(removalKey({ cliqueId }))
      await table.put({ pk: `CLIQUE#${cliqueId}`, sk: 'REMOVAL', companyId, deleted: clock.now(), ...jobDue(cliqueId, clock.now()) })
      return cliqueId
    },
    /** A zip of an earlier version, without a job. */
    async zip(): Promise<string> {
      const { folderId } = await create()
      const { jobId } = await requestZip({ ...acting(), media: uploads }, folderId, 'request')
      await table.delete(jobKey(`build-zip.${jobId}`))
      await table.update(zipKey(jobId), { set: jobDue(folderId, clock.now()) })
      return jobId
    },
    /** A link of an earlier version that nobody publishes, without a job. */
    async link(): Promise<LinkId> {
      const linkId = newLinkId()
      const folder = await addAlias(library, companyId, linkId, { name: 'Public' })
      await table.transact({ link: linkCreation(library, { linkId, mediaId: toMediaId(1) }, folder) })
      await table.update(linkKey(linkId), { set: jobDue(1, clock.now()) })
      return linkId
    },
    /** A video of an earlier version of which nothing was encoded yet, without a job. */
    async video(): Promise<MediaId> {
      const mediaId = toMediaId(99)
      await ensureVideo(library, { mediaId, companyId, mime: 'video/mp4', width: 1280, height: 720 })
      await table.delete(jobKey(`encode-video.${mediaId}`))
      await table.update(videoKey(mediaId), { set: jobDue(mediaId, clock.now()) })
      return mediaId
    },
    /** A picture that waits for keywords since an earlier version, without a job. */
    async picture(): Promise<MediaId> {
      const key = '1/98/renditions/1x1'
      const renditions = { '1200px': { key, mime: 'image/jpeg', width: 1, height: 1, bytes: 1 } }
      const { mediaId } = await putMedia(table, { mediaId: 98, companyId, renditions })
      await table.update(mediaKey(mediaId), { set: { suggestionsWanted: clock.now(), ...jobDue(mediaId, clock.now()) } })
      return mediaId
    },
    sweep: (outOfTime = never) => sweepJobs(sweeping, outOfTime),
    /** What was queued since it was last asked. */
    async queued(): Promise<unknown[]> {
      const messages: unknown[] = []
      for (const name of ['imports'] as const) messages.push(...(await take(name)))
      return messages
    },
  }
}

describe('the sweep of lost jobs', () => {
  test('queues again what has not ended after three hours, and nothing before', async () => {
    const { library, clock, upload, deletedFolder, deletedClique, zip, link, video, picture, sweep, queued } = await setUp()
    const removals = () => Promise.all([getRemoval(library, { folderId }), getRemoval(library, { cliqueId })])
    const mediaId = await upload()
    const folderId = await deletedFolder()
    const cliqueId = await deletedClique()
    const jobId = await zip()
    const linkId = await link()
    const videoId = await video()
    const pictureId = await picture()
    clock.advance(3 * HOUR - 1)
    await sweep()
    assert.deepEqual([await queued(), await removals()], [[], [undefined, undefined]])
    clock.advance(1)
    await sweep()
    assert.deepEqual(new Set(await queued()), new Set([{ mediaId }]))
    assert.deepEqual(
      (await removals()).map((job) => job?.input),
      [{ folderId }, { cliqueId }],
    )
    assert.deepEqual((await getJob(library, `encode-video.${videoId}`))?.input, { mediaId: videoId })
    assert.deepEqual((await getJob(library, `suggest-keywords.${pictureId}`))?.input, { mediaId: pictureId })
    assert.deepEqual((await getJob(library, `build-zip.${jobId}`))?.input, { zip: jobId })
    assert.deepEqual((await getJob(library, `publish-link.${linkId}`))?.input, { linkId, alias: linkId })
    await sweep()
    for (const id of [`build-zip.${jobId}`, `publish-link.${linkId}`, `encode-video.${videoId}`])
      assert.equal((await getJob(library, id))?.asked, 1)
    assert.deepEqual(
      (await removals()).map((job) => job?.asked),
      [1, 1],
    )
  })

  test('leaves alone what has ended', async () => {
    const { library, clock, companyId, upload, deletedFolder, zip, picture, sweep, queued } = await setUp()
    await changePointers(library, await upload(), () => new Map())
    const jobId = await zip()
    await changeZip(library, (await findZip(library, jobId))!, { state: 'FAILED' })
    await removeFolders(library, companyId, [await deletedFolder()])
    await endSuggestions(library, await picture(), [])
    clock.advance(3 * HOUR)
    await sweep()
    assert.deepEqual([await queued(), await listJobs(library, ['build-zip', removalJob.name], {})], [[], []])
  })

  test('a job that nothing helps comes at twice its age each time, and every week in the end', async () => {
    const { clock, upload, sweep, queued } = await setUp()
    await upload()
    const hours: number[] = []
    for (let hour = 1; hour <= 700; hour++) {
      clock.advance(HOUR)
      await sweep()
      const { length } = await queued()
      assert.ok(length <= 1, `${length} of one after ${hour} hours`)
      if (length > 0) hours.push(hour)
    }
    assert.deepEqual(hours, [3, 6, 12, 24, 48, 96, 192, 360, 528, 696])
  })

  test('runs at the same time queue a job once each at most, and the next one none', async () => {
    const { library, clock, upload, deletedFolder, deletedClique, sweep, queued } = await setUp()
    await Promise.all([upload(), deletedFolder(), deletedClique()])
    clock.advance(3 * HOUR)
    await Promise.all([sweep(), sweep(), sweep()])
    const { length } = await queued()
    assert.ok(length >= 1 && length <= 3, `${length} messages`)
    assert.equal((await listJobs(library, [removalJob.name], {})).length, 2)
    await sweep()
    assert.deepEqual(await queued(), [])
  })

  test('one that cannot be queued holds up no other, and is tried by the next run', async () => {
    const { library, clock, upload, deletedFolder, sweeping, sweep, queued } = await setUp()
    const mediaId = await upload()
    const folderId = await deletedFolder()
    clock.advance(3 * HOUR)
    const down = async () => {
      throw new QueueUnavailable('down')
    }
    await assert.rejects(sweepJobs({ ...sweeping, imports: { send: down, sendMany: down } }, never), AggregateError)
    assert.deepEqual((await getRemoval(library, { folderId }))?.input, { folderId })
    await sweep()
    assert.deepEqual(await queued(), [{ mediaId }])
  })

  test('stops when time is up, and the next run goes on', async () => {
    const { clock, upload, sweep, queued } = await setUp()
    const ids = [await upload(), await upload(), await upload()]
    clock.advance(3 * HOUR)
    let asked = 0
    await sweep(() => ++asked > 1)
    const first = await queued()
    assert.equal(first.length, 1)
    await sweep()
    assert.deepEqual(new Set([...first, ...(await queued())]), new Set(ids.map((mediaId) => ({ mediaId }))))
  })
})
