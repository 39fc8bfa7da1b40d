import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { dueTime } from '../../shared/library/due.ts'
import { listJobs } from '../../shared/library/jobs/operator.ts'
import { getLink } from '../../shared/library/links/link.ts'
import { mediaKey, type StoredMedia } from '../../shared/library/media/keys.ts'
import { type MediaRecord, objectKeys } from '../../shared/library/media/media.ts'
import { everyItem } from '../../shared/library/pages.ts'
import { askForInvalidation, INVALIDATIONS, ofLinks } from '../../shared/library/publishing/invalidation.ts'
import { masterJob } from '../../shared/library/publishing/public-objects.ts'
import { type LinkId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { images } from '../support/pictures/index.ts'
import type { World } from '../support/successes.ts'
import type { Deployment } from './deployment.ts'
import type { Sources } from './event-sources.ts'
import { uploadAndImport } from './uploads.ts'

/** A link from its publication to its end, and what happens off that path. */
export async function links(world: World, deployment: Deployment, sources: Sources): Promise<void> {
  const { client, accounts } = world
  const { folderId, alias } = await accounts.cdnFolder()
  const media = await uploadAndImport(world, sources, noise(2400, 1800))
  const second = await uploadAndImport(world, sources, noise(2400, 1800))
  // Two links wait at a time, then two masters: the run of the first one wakes that of the second.
  for (const id of [media, second]) await client['copy-media']({ params: { id, folderId } })
  const linkId = await linkOf(world, media)
  await masterThatBreaksOff(deployment, world, sources)
  assert.equal(await render(deployment, `/${alias}/${linkId}`), 200)
  assert.equal(await render(deployment, `/${alias}/${'0'.repeat(32)}`), 404)
  const other = await uploadAndImport(world, sources, await images['plain.jpg']())
  await client['replace-link']({ params: { company: world.service.demo.company_id, folder: folderId, old: media, new: other } })
  await untilEdgesKnow(world, deployment, sources)
  await client['remove-media']({ params: { id: other, folderId } })
  await untilEdgesKnow(world, deployment, sources)
  assert.equal(await getLink(accounts, linkId), undefined)
}

/** Originals that are gone when their links are published. */
export async function publishedFilesThatAreGone(world: World, { resource }: Deployment, sources: Sources): Promise<void> {
  const { client, accounts } = world
  const { folderId } = await accounts.cdnFolder()
  const s3 = new S3Client()
  const put = async () => {
    const id = await uploadAndImport(world, sources, noise(300, 200))
    await client['copy-media']({ params: { id, folderId } })
    await sources.deliverChanges()
    return id
  }
  const removeOriginal = async (id: number) => {
    const Key = objectKeys.original(await recordOf(world, id))
    await s3.send(new DeleteObjectCommand({ Bucket: resource('StorageMedia').ref, Key }))
  }
  const mastered = await put()
  await sources.invoke()
  await removeOriginal(mastered)
  await sources.runJobs()
  const published = await put()
  await removeOriginal(published)
  await sources.runJobs()
  s3.destroy()
  // The job comes back until the link ends.
  await client['remove-media']({ params: { id: published, folderId } })
  await sources.settle()
}

/** A master that breaks off while it is stored in parts gives them up; the next run does it again, when its time has come. */
async function masterThatBreaksOff({ recorder }: Deployment, { accounts: { library } }: World, sources: Sources): Promise<void> {
  recorder.intercept(async ({ url }) => (/sources.*partNumber=/.test(url) ? 'fail' : 'pass'))
  await sources.runJobs()
  recorder.intercept(undefined)
  const failed = await listJobs(library, [masterJob.name], { state: 'later' })
  assert.ok(failed.length > 0)
  for (const { pk, sk } of failed) await library.table.update({ pk, sk }, { set: { dueAt: dueTime(0) } })
  await sources.runSchedules()
  await sources.settle()
}

/** @returns the status of a picture that is rendered */
async function render({ functions }: Deployment, rawPath: string): Promise<number> {
  const requestContext = { requestId: 'rendered', http: { method: 'GET' } }
  const { statusCode } = await functions.get('render-image').invoke({ rawPath, rawQueryString: 'width=64', headers: {}, requestContext })
  return statusCode
}

/** Edges are asked twice, a minute apart: here that minute has passed. */
async function untilEdgesKnow({ accounts: { library } }: World, { recorder }: Deployment, sources: Sources): Promise<void> {
  const { table } = library
  // The job is asked for while it runs: the run wakes the next one.
  recorder.intercept(async ({ url }) => {
    if (!url.includes('/invalidation')) return 'pass'
    recorder.intercept(undefined)
    await table.transact(askForInvalidation(library))
    return 'pass'
  })
  const pending = () => Array.fromAsync(everyItem(table, { pk: INVALIDATIONS, sk: ofLinks }))
  await sources.settle()
  assert.notEqual((await pending()).length, 0)
  for (let round = 0; (await pending()).length > 0; round++) {
    assert.ok(round < 50, 'edges never know')
    for (const { pk, sk } of await pending()) await table.update({ pk, sk }, { set: { since: 0, notBefore: 0 } })
    await table.transact(askForInvalidation(library))
    await sources.settle()
  }
}

async function recordOf({ accounts }: World, media: number): Promise<MediaRecord> {
  const record = await accounts.table.get<StoredMedia>(mediaKey(toMediaId(media)))
  assert.ok(record)
  return record
}

async function linkOf(world: World, media: number): Promise<LinkId> {
  const { links: [link] = [] } = await recordOf(world, media)
  assert.ok(link)
  return link.id
}

/** A Windows bitmap of noise: libvips doesn't decode it, and what it is converted to is stored in parts. */
function noise(width: number, height: number): Buffer {
  const rows = Math.ceil((width * 3) / 4) * 4 * height
  const file = Buffer.concat([Buffer.alloc(54), randomBytes(rows)])
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  return file
}
