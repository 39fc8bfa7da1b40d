import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import sharp from 'sharp'
import { type EndpointName, endpoints } from '../../functions/endpoints.ts'
import { makeDemoCompany } from '../../infra/local/demo/demo-company.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { s3Objects } from '../../shared/backends/objects/s3.ts'
import { secretsManager } from '../../shared/backends/secrets/secrets-manager.ts'
import { dynamoTable } from '../../shared/backends/table/dynamodb.ts'
import type { Key } from '../../shared/backends/table/port.ts'
import { apiClient } from '../../shared/http/client.ts'
import { allUses, type Endpoint } from '../../shared/http/endpoint.ts'
import { beginSession } from '../../shared/library/accounts/sessions.ts'
import { findUser } from '../../shared/library/accounts/users.ts'
import { dueKeys } from '../../shared/library/due.ts'
import { jobIdOf } from '../../shared/library/jobs/job.ts'
import { listJobs, retryJob } from '../../shared/library/jobs/operator.ts'
import { listMailFailures } from '../../shared/library/mail/failures.ts'
import { importJob } from '../../shared/library/media/import-job.ts'
import { mediaKey, type StoredMedia } from '../../shared/library/media/keys.ts'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import { posterHash } from '../../shared/library/videos/poster-hash.ts'
import { changeVideo, videoKey } from '../../shared/library/videos/video.ts'
import { type MediaId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { accountsIn } from '../support/accounts.ts'
import { patientClient } from '../support/aws/patient-client.ts'
import { pretendEncoded } from '../support/encoded.ts'
import { images, mp4 } from '../support/pictures/index.ts'
import { routeSettings, serviceAt } from '../support/service.ts'
import { bounced } from '../support/ses-events.ts'
import { hmacAuthorization, successes, type World } from '../support/successes.ts'
import { postForm } from '../support/uploading.ts'
import { customResourceRequest } from './custom-resource-request.ts'
import type { Deployment } from './deployment.ts'
import { makeDue } from './due.ts'
import { eventSources, type Sources } from './event-sources.ts'
import { links, publishedFilesThatAreGone } from './link-walk.ts'
import { uploadsInParts } from './part-walk.ts'
import { fullQuota } from './quota-walk.ts'
import { signOn } from './sign-on-walk.ts'
import { snapshots } from './snapshot-walk.ts'
import { stock } from './stock-walk.ts'
import { suggestions } from './suggestion-walk.ts'
import { finalize, upload, uploadAndImport } from './uploads.ts'
import { videos } from './video-walk.ts'
import { webhooks } from './webhook-walk.ts'

/**
 * Makes every function do all that it may do: every endpoint with success, then what only happens off the beaten path.
 * @returns who walked
 */
export async function walkThrough(deployment: Deployment): Promise<World> {
  const clients = { dynamo: patientClient(), secrets: new SecretsManagerClient() }
  const sources = eventSources(deployment)
  try {
    const world = await newWorld(deployment, clients)
    await snapshots(world, deployment, sources)
    world.media = await uploadAndImport(world, sources, await images['plain.jpg']())
    world.video = await uploadAndImport(world, sources, mp4(['vide']))
    world.streamed = await uploadAndImport(world, sources, mp4(['vide']))
    await everyEndpoint(world)
    await downloadsOfVideos(world)
    await signedUrl(world, deployment)
    await inSessions(world)
    await asApplication(world)
    await wrongPassword(world)
    await forgottenPassword(world)
    await bouncedMail(world, deployment, sources)
    await importsSideBySide(world, sources)
    await importThatBreaksOff(world, deployment, sources)
    await importOfWhatIsRemovedMeanwhile(world, deployment, sources)
    await largeDownloads(world, sources)
    await bulkChanges(world, sources)
    await thumbHashes(world, deployment, sources)
    await posterHashes(world, sources)
    await downloadsThatAreDue(world, sources)
    await trashThatIsDue(world, sources)
    await postedAfterFinalizing(world, deployment, sources)
    await uploadsInParts(world, sources)
    await fullQuota(world, deployment, sources)
    await removals(world, sources)
    await zips(world, sources)
    await links(world, deployment, sources)
    await publishedFilesThatAreGone(world, deployment, sources)
    await videos(world, deployment, sources)
    await stock(world, sources)
    await suggestions(world, sources)
    await webhooks(world, sources)
    await signOn(world)
    await objectsThatAreGone(world, deployment, sources)
    await destroy(deployment)
    return world
  } finally {
    sources.close()
    clients.dynamo.destroy()
    clients.secrets.destroy()
  }
}

async function newWorld(
  { baseUrl, resource }: Deployment,
  { dynamo, secrets }: { dynamo: DynamoDBClient; secrets: SecretsManagerClient },
): Promise<World> {
  const table = dynamoTable({ tableName: resource('StorageTable').ref, client: dynamo })
  const apiSecretsKey = secretsManager({ arns: { apiSecretsKey: resource('SecretsApiSecretsKey').ref }, client: secrets })
  const demo = await makeDemoCompany({ table, apiSecretsKey, clock: systemClock })
  const service = serviceAt(baseUrl, { ...demo, base_url: baseUrl, cdn_url: '', player_url: '' })
  const openUploads = async () => s3Objects({ bucket: resource('StorageUploads').ref })
  const accounts = accountsIn(service, { table, openUploads, apiSecretsKey, close: () => undefined })
  const client = await service.client()
  const create = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
  return { service, client, accounts, folder: await create('Folder'), other: await create('Other'), media: 0, video: 0, streamed: 0 }
}

async function everyEndpoint(world: World): Promise<void> {
  const user = await world.service.signIn()
  const application = hmacAuthorization(await world.accounts.key(['password_reset']))
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { access, uses }: Endpoint = endpoints[name]
    // Functions ask no provider on this machine: `signOn` walks these.
    if (uses.openId) continue
    const authorization = access === 'password reset application' ? application : user
    await call(world, name, access === 'anyone' || access === 'session' ? undefined : authorization)
  }
}

/** What functions sign leads to the distribution that their environment names. */
async function signedUrl({ client, media }: World, { resource }: Deployment): Promise<void> {
  const { body } = await client['get-download-location']({ params: { id: media } })
  assert.equal(new URL(body.url).host, resource('FileDeliveryDistribution').attributes.DomainName)
}

/** A video's preview is found in another place than the sizes of a picture, and asked for where an earlier version imported the video. */
async function downloadsOfVideos({ client, accounts, video }: World): Promise<void> {
  await pretendEncoded(accounts.library, video)
  assert.equal((await client['get-sized-download-location']({ params: { id: video, size: '320px' } })).status, 200)
  assert.equal((await client['get-preview']({ params: { id: video } })).status, 302)
  await accounts.table.delete(videoKey(toMediaId(video)))
  assert.equal((await client['get-sized-download-location']({ params: { id: video, size: '320px' } })).status, 409)
  await accounts.table.delete(videoKey(toMediaId(video)))
  assert.equal((await client['get-preview']({ params: { id: video } })).status, 409)
  await accounts.table.delete(videoKey(toMediaId(video)))
  assert.equal((await client['create-stream']({ params: { id: video } })).status, 200)
}

/** An application's key and what it is compared with lie in other places than a user's token. */
async function asApplication(world: World): Promise<void> {
  const authorization = hmacAuthorization(await world.accounts.key(['downloads']))
  // A zip is for who asked for it.
  const applications = { ...world, client: await world.service.client(authorization) }
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    if (endpoints[name].access === 'user or application') await call(applications, name, authorization)
  }
}

/** Functions that read the table note that a session is in use, where that was not noted in the last minute. */
async function inSessions(world: World): Promise<void> {
  const clock = { ...systemClock, now: () => Date.now() - 300_000 }
  const user = await findUser(world.accounts, world.service.demo.user_id)
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    if (allUses(endpoints[name]).sessions === undefined) continue
    const { secret, session } = await beginSession({ table: world.accounts.table, clock }, user!)
    const headers = { cookie: `__Host-session=${secret}`, 'sec-fetch-site': 'same-origin', 'x-csrf': session.csrf }
    await call(world, name, undefined, headers)
  }
}

async function call(world: World, name: EndpointName, authorization: string | undefined, headers?: Record<string, string>): Promise<void> {
  const client = apiClient(
    { [name]: endpoints[name] as Endpoint },
    { baseUrl: world.service.baseUrl, ...routeSettings, ...(authorization && { authorization }) },
  )
  const input = await successes[name](world)
  const { status, body } = await client[name]!({ ...input, ...(headers && { init: { headers } }) })
  assert.ok(status < 400, `${name}: ${status} ${JSON.stringify(body)}`)
}

async function wrongPassword({ service }: World): Promise<void> {
  await assert.rejects(service.signIn({ password: 'not the password' }), /401/)
}

async function forgottenPassword({ accounts, service }: World): Promise<void> {
  const { username } = await accounts.user({ username: 'forgetful@example.com' })
  const authorization = hmacAuthorization(await accounts.key(['password_reset']))
  const body = JSON.stringify({ username })
  const answer = await service.request('/authenticate/userpass/reset', { method: 'POST', headers: { authorization }, body })
  assert.equal(answer.status, 204)
}

/** An e-mail that comes back; EventBridge puts what SES tells of it into the queue. */
async function bouncedMail({ accounts }: World, { resource }: Deployment, sources: Sources): Promise<void> {
  const sqs = new SQSClient()
  await sqs.send(new SendMessageCommand({ QueueUrl: resource('QueuesserviceEvents').ref, MessageBody: JSON.stringify(bounced) }))
  sqs.destroy()
  assert.ok(await sources.deliverMessage('note-service-event', 'serviceEvents'))
  const clock = { ...systemClock, now: () => Date.parse(bounced.time) }
  const [failure] = await listMailFailures({ table: accounts.table, clock }, { since: 0, limit: 1 })
  assert.equal(failure?.kind, 'bounce')
}

/** Two imports that wait at a time: the run of the first one wakes that of the second. */
async function importsSideBySide({ service, client, folder }: World, sources: Sources): Promise<void> {
  const bytes = await images['plain.jpg']()
  for (const name of ['first.jpg', 'second.jpg']) await upload({ service, client, folder }, bytes, name)
  await sources.settle()
}

/** An import that breaks off while it stores a rendition in parts gives the parts up; the next run does it again. */
async function importThatBreaksOff(
  { service, client, folder, accounts }: World,
  { recorder }: Deployment,
  sources: Sources,
): Promise<void> {
  const side = 1700
  const noise = sharp(randomBytes(side * side * 4), { raw: { width: side, height: side, channels: 4 } })
  await sources.settle()
  const media = await upload({ service, client, folder }, await noise.png({ compressionLevel: 0 }).toBuffer(), 'noise.png')
  await sources.deliverChanges()
  recorder.intercept(async ({ url }) => (url.includes('partNumber=') ? 'fail' : 'pass'))
  await sources.invoke()
  recorder.intercept(undefined)
  assert.ok(await retryJob(accounts.library, jobIdOf({ kind: importJob.name, subject: String(media) })))
  await sources.settle()
  assert.equal((await client['get-media']({ params: { id: media } })).status, 200)
}

/** An import that finds its file removed takes back what it has stored. */
async function importOfWhatIsRemovedMeanwhile(
  { service, client, folder, accounts }: World,
  { recorder }: Deployment,
  sources: Sources,
): Promise<void> {
  await sources.settle()
  const media = await upload({ service, client, folder }, await images['plain.jpg'](), 'removed.jpg')
  await sources.deliverChanges()
  recorder.intercept(async ({ method }) => {
    if (method === 'PUT') await accounts.table.delete(mediaKey(toMediaId(media)))
    return 'pass'
  })
  await sources.invoke()
  recorder.intercept(undefined)
}

/** S3 tells that an object isn't there only to whoever may list the bucket. */
async function objectsThatAreGone(
  { service, client, accounts, folder, video }: World,
  { resource }: Deployment,
  sources: Sources,
): Promise<void> {
  const s3 = new S3Client()
  const remove = async (bucket: string, suffix: string) => {
    const Bucket = resource(bucket).ref
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
    for (const { Key } of Contents.filter(({ Key }) => Key!.endsWith(suffix))) await s3.send(new DeleteObjectCommand({ Bucket, Key }))
  }
  const { body: zipped } = await client['create-folder']({ body: { name: 'Zipped' } })
  const ask = async () => (await client['create-zip']({ params: { id: zipped.id } })).body.job_id
  const jobId = await ask()
  const link = async (folder_id: number) => {
    const { body } = await client['create-share']({ body: { folder_id, allow: { download: 'original' } } })
    return body.url!.slice(-43)
  }
  const secret = await link(zipped.id)
  const askByLink = async () => (await client['create-shared-zip']({ params: { secret } })).body.job_id
  const jobByLink = await askByLink()
  await sources.settle()
  assert.equal((await client['get-shared-zip']({ params: { secret, job_id: jobByLink } })).body.state, 'DONE')
  await remove('StorageMedia', '/contents')
  assert.notEqual(await askByLink(), jobByLink)
  assert.notEqual(await ask(), jobId)
  await client['change-folder']({ params: { id: zipped.id }, body: { name: 'Renamed' } })
  assert.equal((await client['get-zip']({ params: { job_id: jobId } })).status, 403, 'what it holds is not known')
  const media = await uploadAndImport({ service, client, folder }, sources, await images['plain.jpg']())
  await client['set-title']({ params: { id: media }, body: { en: 'Written for a link' } })
  const shared = { params: { secret: await link(folder), id: media } }
  assert.equal((await client['download-shared-media'](shared)).status, 200)
  await remove('StorageMedia', 'tags.json')
  assert.ok((await client['get-tags']({ params: { id: media } })).status >= 400)
  await client['put-subtitles']({ params: { id: video, language: 'sv' }, body: Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHej\n') })
  await remove('StorageMedia', '.vtt')
  assert.equal((await client['get-subtitles']({ params: { id: video, language: 'sv' } })).status, 500)
  await client['delete-subtitles']({ params: { id: video, language: 'sv' } })
  await remove('StorageMedia', `${media}/original`)
  await remove('StorageMedia', '/renditions/64x48')
  await client['set-title']({ params: { id: media }, body: { en: 'Lost' } })
  assert.equal((await client['get-download-location']({ params: { id: media } })).status, 500)
  assert.equal((await client['download-shared-media'](shared)).status, 500)
  assert.equal((await client['get-sized-download-location']({ params: { id: media, size: '320px' } })).status, 500)
  await pretendItIsLarge(accounts, media)
  await client['set-title']({ params: { id: media }, body: { en: 'Large and lost' } })
  await sources.runJobs()
  await upload({ service, client, folder }, await images['plain.jpg'](), 'lost.jpg')
  await remove('StorageUploads', 'lost.jpg')
  await sources.runJobs()
  // What was posted and never finalized is all that a stack's end finds in this bucket.
  const { body: form } = await client['register-upload']({ body: { folder } })
  await postForm(form, Buffer.from('posted'), 'posted.txt')
  s3.destroy()
}

/** A form is good for longer than its upload: S3 takes what is posted with it again, and the sweep removes it. */
async function postedAfterFinalizing({ service, client, folder }: World, { resource }: Deployment, sources: Sources): Promise<void> {
  const { body: form } = await client['register-upload']({ body: { folder } })
  const bytes = await images['plain.png']()
  await finalize(service, await postForm(form, bytes, 'first.png'))
  await sources.settle()
  assert.equal((await postForm(form, bytes, 'second.png')).status, 303)
  const s3 = new S3Client()
  const left = async () => (await s3.send(new ListObjectsV2Command({ Bucket: resource('StorageUploads').ref }))).Contents ?? []
  const isSecond = ({ Key }: { Key?: string }) => Key!.endsWith('second.png')
  assert.ok((await left()).some(isSecond))
  await sources.runSchedules()
  assert.ok(!(await left()).some(isSecond))
  s3.destroy()
}

/**
 * Two files above the size that a request writes: both their edits and requests for them ask for jobs, and the run of the first one wakes that
 * of the second.
 */
async function largeDownloads(world: World, sources: Sources): Promise<void> {
  const { client, accounts } = world
  const large: number[] = []
  for (const name of ['plain.jpg', 'plain.png'] as const) {
    const id = await uploadAndImport(world, sources, await images[name]())
    await pretendItIsLarge(accounts, id)
    large.push(id)
  }
  for (const id of large) await client['set-title']({ params: { id }, body: { en: 'Large' } })
  const waiting = large.map((id) => client['get-download-location']({ params: { id } }))
  await sources.runJobs()
  // On a busy machine they may have waited long enough.
  await Promise.all(waiting)
  await sources.settle()
  for (const id of large) assert.equal((await client['get-download-location']({ params: { id } })).status, 200)
}

async function pretendItIsLarge({ table }: World['accounts'], media: number): Promise<void> {
  await table.update(mediaKey(toMediaId(media)), { set: { bytes: 200 * 1024 ** 2 } })
}

/** Two bulk changes that wait at a time: the run of the first one wakes that of the second. */
async function bulkChanges({ client, media }: World, sources: Sources): Promise<void> {
  for (const editorial of [true, false]) {
    const { status } = await client['change-media-in-bulk']({ body: { select: { ids: [media] }, change: { editorial } } })
    assert.equal(status, 200)
  }
  await sources.settle()
}

/** Pictures of earlier versions have no ThumbHash: one that gets it, and one whose sizes are gone. */
async function thumbHashes(world: World, { resource }: Deployment, sources: Sources): Promise<void> {
  const { table } = world.accounts
  const withoutHash = async () => {
    const key = mediaKey(toMediaId(await uploadAndImport(world, sources, await images['plain.jpg']())))
    await table.update(key, { remove: ['thumbhash'] })
    return key
  }
  const hashOf = async (key: Key) => (await table.get<StoredMedia & AvailableMedia>(key))?.thumbhash
  const [kept, lost] = [await withoutHash(), await withoutHash()]
  const s3 = new S3Client()
  const Key = (await table.get<StoredMedia & AvailableMedia>(lost))?.renditions['110px']?.key
  await s3.send(new DeleteObjectCommand({ Bucket: resource('StorageMedia').ref, Key }))
  s3.destroy()
  await sources.runSchedules()
  assert.ok(await hashOf(kept))
  assert.equal(await hashOf(lost), undefined)
}

/** Two posters that wait at a time: the run of the first one wakes that of the second. One is gone, one's video is. */
async function posterHashes(world: World, sources: Sources): Promise<void> {
  const { library } = world.accounts
  const mediaId = toMediaId(await uploadAndImport(world, sources, mp4(['vide'])))
  const video = await pretendEncoded(library, mediaId)
  const ask = (id: MediaId) => posterHash.ask(library, { companyId: video.companyId, subject: String(id), input: { mediaId: id } })
  await changeVideo(library, video, { preview: { ...video.preview, hasPoster: true } })
  await library.table.transact({ poster: ask(mediaId), gone: ask(toMediaId(mediaId + 1)) })
  await sources.runJobs()
  const left = await listJobs(library, [posterHash.name], {})
  assert.deepEqual(
    left.map(({ input }) => input),
    [{ mediaId }],
  )
  await library.table.delete(videoKey(mediaId))
}

/** Prepared downloads whose time has come. */
async function downloadsThatAreDue({ accounts }: World, sources: Sources): Promise<void> {
  await makeDue(accounts, 'DOWNLOAD')
  await sources.runSchedules()
  for (const pk of dueKeys('DOWNLOAD')) {
    assert.deepEqual((await accounts.table.query({ index: 'trashDue', pk })).items, [])
  }
}

/** A file and a folder that have lain in a trashcan for their time. */
async function trashThatIsDue(world: World, sources: Sources): Promise<void> {
  const { client, accounts, folder } = world
  const media = await uploadAndImport(world, sources, await images['plain.png']())
  await client['move-media-to-trash']({ params: { id: media, folderId: folder } })
  const { body: thrown } = await client['create-folder']({ body: { name: 'Thrown away' } })
  await client['move-folder-to-trash']({ params: { id: thrown.id } })
  await makeDue(accounts, 'TRASH')
  await sources.runSchedules()
  assert.equal((await client['get-media']({ params: { id: media } })).status, 404)
}

/** The last pointer of a file, a folder with a file in it, and a clique with a member. */
async function removals(world: World, sources: Sources): Promise<void> {
  const { client, media } = world
  const { body: parent } = await client['create-folder']({ body: { name: 'To delete' } })
  const { body: child } = await client['create-folder']({ body: { name: 'To delete as well', parent: parent.id } })
  await uploadAndImport({ ...world, folder: child.id }, sources, await images['plain.png']())
  await client['delete-folder']({ params: { id: parent.id } })
  const { body: pointers } = await client['list-media-folders']({ params: { id: media } })
  for (const { group_id } of pointers) await client['remove-media']({ params: { id: media, folderId: Number(group_id) } })
  assert.equal((await client['get-media']({ params: { id: media } })).status, 404)
  const { body: clique } = await client['create-clique']({ body: { name: 'To delete', svc_id: world.service.demo.company_id } })
  await client['add-clique-member']({ params: { id: clique.id, userId: world.service.demo.user_id } })
  await client['delete-clique']({ params: { id: clique.id } })
  await sources.settle()
  assert.deepEqual(
    (await client['list-user-cliques']({ params: { id: world.service.demo.user_id } })).body.filter(({ id }) => id === clique.id),
    [],
  )
}

/**
 * Zips of a folder: one for which a download must be prepared first, the same again after a file came elsewhere, one of somebody who may not
 * read the folder any more, and all of them once they have ended.
 */
async function zips(world: World, sources: Sources): Promise<void> {
  const { service, client, accounts } = world
  const newFolder = async (name: string) => (await client['create-folder']({ body: { name } })).body.id
  const [folder, elsewhere] = [await newFolder('To zip'), await newFolder('Elsewhere')]
  const id = await uploadAndImport({ ...world, folder }, sources, await images['plain.jpg']())
  await client['set-title']({ params: { id }, body: { en: 'Title' } })
  const ask = async (by = client) => (await by['create-zip']({ params: { id: folder } })).body
  const ended = async (job_id: string, by = client) => {
    for (;;) {
      await sources.settle()
      const { body } = await by['get-zip']({ params: { job_id } })
      if (body.state !== 'PENDING') return body.state
      // A job that has waited for long runs again later.
      await sleep(500)
    }
  }
  const { job_id } = await ask()
  assert.equal(await ended(job_id), 'DONE')
  await uploadAndImport({ ...world, folder: elsewhere }, sources, await images['plain.png']())
  assert.equal((await ask()).job_id, job_id)
  await client['change-folder']({ params: { id: folder }, body: { name: 'Renamed' } })
  assert.equal((await client['get-zip']({ params: { job_id } })).status, 200)
  const reader = await accounts.user({ username: 'reader@example.com' })
  await accounts.grant(folder, reader.userId, ['READ'])
  const reading = await service.client(reader.authorization)
  const { job_id: lost } = await ask(reading)
  await accounts.grant(folder, reader.userId, [])
  assert.equal(await ended(lost, reading), 'FAILED')
  await makeDue(accounts, 'ZIP')
  await sources.runSchedules()
  assert.equal((await client['get-zip']({ params: { job_id } })).status, 404)
}

/** What CloudFormation asks when the stack goes. */
async function destroy({ functions, resources }: Deployment): Promise<void> {
  const prepared = resources.find(({ type }) => type === 'Custom::Buckets')!
  await customResourceRequest(functions.get('prepare-buckets'), 'Delete', prepared)
}
