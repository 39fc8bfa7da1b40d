import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { type Key, type Table, TableUnavailable } from '../../../shared/backends/table/port.ts'
import { createClique, deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { jobDue } from '../../../shared/library/due.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { getJob, type JobRecord, jobKey } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import type { Reading } from '../../../shared/library/library.ts'
import { linkCreation, linkKey, newLinkId } from '../../../shared/library/links/link.ts'
import { importJob } from '../../../shared/library/media/import-job.ts'
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
import { type CliqueId, type FolderId, type LinkId, type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const never = () => false

const getRemoval = ({ table }: Reading, deleted: Deleted) => table.get<JobRecord>(removalKey(deleted))

/** A library in which no change starts a job: all are lost. */
async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const directory = mkdtempSync(join(tmpdir(), 'jobs-test-'))
  const uploads = openEmbeddedObjects(join(directory, 'uploads'), clock)
  onTestFinished(() => {
    uploads.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { companyId, admin } = await openTestCompany(library)
  const acting = () => requestOf(library, admin)
  const create = (parent: FolderId | null = null) => createFolder(acting(), { name: 'Folder', parent })

  /** A record of an earlier version has no job, and says when what was queued for it counts as lost. */
  async function without(jobId: string, key: Key, id: number): Promise<void> {
    await table.delete(jobKey(jobId))
    await table.update(key, { set: jobDue(id, clock.now()) })
  }
  return {
    ...{ library, clock, companyId, acting, create },
    /** A file that waits for its import since an earlier version, without a job. */
    async upload(): Promise<MediaId> {
      const { folderId } = await create()
      const { uploadId, keyPrefix } = await registerUpload(acting(), folderId, undefined)
      await uploads.put(`${keyPrefix}a.jpg`, Buffer.from('a'), { contentType: 'binary/octet-stream' })
      const { mediaId } = await finalizeUpload({ table, uploads, clock, requestId: 'test' }, uploadId, undefined)
      await without(`import-media.${mediaId}`, mediaKey(mediaId), mediaId)
      return mediaId
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
      await without(`build-zip.${jobId}`, zipKey(jobId), folderId)
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
      await without(`encode-video.${mediaId}`, videoKey(mediaId), mediaId)
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
    sweep: (outOfTime = never, over: Table = table) => sweepJobs({ ...library, table: over }, outOfTime),
    /** The jobs of imports that there are. */
    imports: async () => (await listJobs(library, [importJob.name], {})).map(({ input, asked }) => ({ input, asked })),
  }
}

describe('what earlier versions left waiting without a job', () => {
  test('gets one', async () => {
    const { library, upload, deletedFolder, deletedClique, zip, link, video, picture, sweep } = await setUp()
    const removals = () => Promise.all([getRemoval(library, { folderId }), getRemoval(library, { cliqueId })])
    const mediaId = await upload()
    const folderId = await deletedFolder()
    const cliqueId = await deletedClique()
    const jobId = await zip()
    const linkId = await link()
    const videoId = await video()
    const pictureId = await picture()
    await sweep()
    assert.deepEqual(
      (await removals()).map((job) => job?.input),
      [{ folderId }, { cliqueId }],
    )
    const inputs = new Map<string, unknown>([
      [`import-media.${mediaId}`, { mediaId }],
      [`encode-video.${videoId}`, { mediaId: videoId }],
      [`suggest-keywords.${pictureId}`, { mediaId: pictureId }],
      [`build-zip.${jobId}`, { zip: jobId }],
      [`publish-link.${linkId}`, { linkId, alias: linkId }],
    ])
    for (const [id, input] of inputs) assert.deepEqual((await getJob(library, id))?.input, input)
    await sweep()
    for (const id of inputs.keys()) assert.equal((await getJob(library, id))?.asked, 1)
    assert.deepEqual(
      (await removals()).map((job) => job?.asked),
      [1, 1],
    )
  })

  test('gets none where it has ended', async () => {
    const { library, companyId, upload, deletedFolder, zip, picture, sweep } = await setUp()
    await changePointers(library, await upload(), () => new Map())
    const jobId = await zip()
    await changeZip(library, (await findZip(library, jobId))!, { state: 'FAILED' })
    await removeFolders(library, companyId, [await deletedFolder()])
    await endSuggestions(library, await picture(), [])
    await sweep()
    assert.deepEqual(await listJobs(library, ['build-zip', removalJob.name, importJob.name, 'suggest-keywords'], {}), [])
  })

  test('gets one of several runs at the same time', async () => {
    const { library, upload, deletedFolder, deletedClique, sweep, imports } = await setUp()
    const [mediaId] = await Promise.all([upload(), deletedFolder(), deletedClique()])
    await Promise.all([sweep(), sweep(), sweep()])
    assert.deepEqual(await imports(), [{ input: { mediaId }, asked: 1 }])
    assert.equal((await listJobs(library, [removalJob.name], {})).length, 2)
  })

  test('holds up no other where it cannot get one, and gets it from the next run', async () => {
    const { library, upload, deletedFolder, sweep, imports } = await setUp()
    const mediaId = await upload()
    const folderId = await deletedFolder()
    const failing = beforeTransactions(library.table, async (operations) => {
      if ('media' in operations) throw new TableUnavailable('down')
    })
    await assert.rejects(sweep(never, failing), AggregateError)
    assert.deepEqual((await getRemoval(library, { folderId }))?.input, { folderId })
    assert.deepEqual(await imports(), [])
    await sweep()
    assert.deepEqual(await imports(), [{ input: { mediaId }, asked: 1 }])
  })

  test('waits when time is up, and the next run goes on', async () => {
    const { upload, sweep, imports } = await setUp()
    const ids = [await upload(), await upload(), await upload()]
    let asked = 0
    await sweep(() => ++asked > 1)
    assert.equal((await imports()).length, 1)
    await sweep()
    assert.deepEqual(new Set((await imports()).map(({ input }) => input)), new Set(ids.map((mediaId) => ({ mediaId }))))
  })
})
