import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DeleteObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { UnsecuredJWT } from 'jose'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { logoutPath } from '../../functions/sign-on/schema.ts'
import { outputsOf } from '../../infra/aws/library/stack.ts'
import { stackResources } from '../../infra/aws/library/stack-resources.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { OpenIdProviders } from '../../shared/backends/openid/port.ts'
import { INDEX_FORMAT } from '../../shared/backends/search/index-file.ts'
import type { Value } from '../../shared/backends/table/port.ts'
import { hostCookieName, SIGN_ON_COOKIE } from '../../shared/http/protocol/cookies.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { createProvider } from '../../shared/library/accounts/providers.ts'
import { copiesOf } from '../../shared/library/downloads/copies.ts'
import { expiryJob } from '../../shared/library/downloads/expiry.ts'
import { type Due, dueTime } from '../../shared/library/due.ts'
import { allEvents } from '../../shared/library/feed/all-events.ts'
import { snapshotsKey } from '../../shared/library/index-snapshots/record.ts'
import { jobIdIn, jobKey } from '../../shared/library/jobs/job.ts'
import { listJobs, retryJob } from '../../shared/library/jobs/operator.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { everyItem } from '../../shared/library/pages.ts'
import { startSignOn } from '../../shared/library/sign-on/sign-on.ts'
import { folderKey } from '../../shared/library/tree/folder.ts'
import { trashKey } from '../../shared/library/tree/trash.ts'
import { compareJob } from '../../shared/library/uploads/part-upload.ts'
import { type UploadRecord, uploadKey } from '../../shared/library/uploads/uploads.ts'
import { companyOf, webhookKey } from '../../shared/library/webhooks/webhook.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { CATALOGUE, type CompanyId, toCompanyId, toFolderId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { runJson } from '../infra/admin/run-command.ts'
import { type Accounts, provisioning } from '../support/accounts.ts'
import { endFunction } from '../support/aws/stack-functions.ts'
import { images } from '../support/pictures/index.ts'
import { type Service, startService } from '../support/service.ts'
import { bounced } from '../support/ses-events.ts'
import { recordOf } from '../support/stream-poller.ts'
import { until } from '../support/until.ts'
import { postForm, putParts, uploadAndImport } from '../support/uploading.ts'
import { stack } from './changing.ts'

/** What functions do by the clock, or for what journeys don't meet: large files, indexes that are lost, providers that are not there. */
describe('what happens seldom', () => {
  const [lambda, s3] = [new LambdaClient(), new S3Client({ forcePathStyle: true })]
  let service: Service
  let client: Awaited<ReturnType<Service['client']>>
  let accounts: Accounts
  let folder: number
  let company: CompanyId
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    accounts = await provisioning(service)
    folder = service.demo.folder_id
    company = toCompanyId(service.demo.company_id)
  })
  afterAll(() => {
    accounts.close()
    for (const each of [lambda, s3]) each.destroy()
  })

  const imported = async (bytes: Buffer, name: string) => Number((await uploadAndImport(client, folder, bytes, name)).id)
  const linkTo = async (folder_id: number) => {
    const { body } = await client['create-share']({ body: { folder_id, allow: { download: 'original' } } })
    return body.url!.slice(-43)
  }

  /** Runs what runs by the clock. */
  async function run(name: string): Promise<void> {
    const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName: `${stack}-${name}`, Payload: '{}' }))
    assert.equal(FunctionError, undefined, Buffer.from(Payload ?? []).toString())
  }

  /** Lets the time of all records of a part of the index come. */
  async function makeDue(pk: Due['dueKey']): Promise<void> {
    for await (const key of everyItem(accounts.table, { index: 'trashDue', pk })) {
      await accounts.table.update({ pk: key.pk, sk: key.sk }, { set: { dueAt: dueTime(0) } })
    }
  }

  /** Has a job that is to run later run now. @param input instead of its own */
  async function runNow(jobId: string, input?: Value): Promise<void> {
    const jobs = { table: accounts.table, clock: systemClock }
    if (input !== undefined) await jobs.table.update(jobKey(jobId), { set: { input } })
    assert.ok(await retryJob(jobs, jobId))
  }

  test('what lay in a trashcan for its time is deleted for good', async () => {
    const media = await imported(await images['plain.png'](), 'thrown.png')
    await client['move-media-to-trash']({ params: { id: media, folderId: folder } })
    const { body: thrown } = await client['create-folder']({ body: { name: 'Thrown away' } })
    await client['move-folder-to-trash']({ params: { id: thrown.id } })
    await makeDue(trashKey(company))
    await runNow(`expire-trash.${company}`)
    await until(async () => (await client['get-media']({ params: { id: media } })).status === 404)
    await until(async () => (await client['get-folder']({ params: { id: thrown.id } })).status === 404)
  })

  test('changes that were given up and messages that failed are done when the operator says so, once', async () => {
    const outputs = await outputsOf(stack)
    const [Bucket, QueueUrl] = [outputs.get('FailedChangesBucket')!, outputs.get('FailedRunsQueue')!]
    const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
    const key = folderKey(company, toFolderId(folder))
    const record = recordOf({ id: randomUUID(), key, after: (await accounts.table.get(key))! }, 1)
    const Body = JSON.stringify({ requestContext: { functionArn: `${stack}-start-jobs` }, payload: { Records: [record] } })
    for (const n of [1, 2]) await s3.send(new PutObjectCommand({ Bucket, Key: `aws/lambda/mapping/shard/2026/01/01/${n}`, Body }))
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ ...bounced, time: new Date().toISOString() }) }))
    const letters = async () => {
      const asked = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] }
      return Number((await sqs.send(new GetQueueAttributesCommand(asked))).Attributes?.ApproximateNumberOfMessages)
    }
    await until(async () => (await letters()) === 3)
    const told = async () => {
      const events = await Array.fromAsync(allEvents({ table: accounts.table, clock: systemClock }, company, 0))
      return events.filter(({ type, data }) => type === 'folder.created' && data.folderId === folder).length
    }
    const before = await told()
    const operator = (...args: string[]) => runJson('', [...args, '--stack', stack])
    assert.deepEqual(await operator('failed-runs', 'retry'), { changes: 2, messages: 1, schedules: 0, failed: 0, unknown: 0 })
    assert.equal(await told(), before + 1)
    assert.equal((await operator('mail', 'failures'))[0].message_id, bounced.detail.mail.messageId)
    assert.deepEqual([await letters(), (await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount], [0, 0])
    sqs.destroy()
  })

  test('downloads that nobody fetches go, as do zips, and are made again for who does, by a share link, too', async () => {
    const id = await imported(await images['plain.jpg'](), 'written.jpg')
    await client['set-title']({ params: { id }, body: { en: 'Written' } })
    const ask = async () => (await client['get-download-location']({ params: { id } })).body.url
    const written = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).includes('Written')
    const first = await ask()
    assert.ok(await written(first))
    const params = { job_id: (await client['create-zip']({ params: { id: folder } })).body.job_id }
    const zip = () => client['get-zip']({ params })
    await until(async () => (await zip()).body.state === 'DONE')
    await runNow(`expire-zip.${params.job_id}`, { zip: params.job_id, from: 0 })
    await until(async () => (await zip()).status === 404)
    const copies = () => copiesOf(accounts, toMediaId(id))
    assert.ok((await copies()).length > 0)
    for (const { pk, sk } of await copies()) await accounts.table.update({ pk, sk }, { set: { until: 0 } })
    for (const job of await listJobs(accounts, [expiryJob.name], {})) assert.ok(await retryJob(accounts.library, jobIdIn(job)))
    await until(async () => (await copies()).length === 0)
    const shared = { params: { secret: await linkTo(folder), id } }
    assert.equal((await client['download-shared-media'](shared)).status, 200)
    assert.ok(await written(await ask()))
  })

  test('what was posted again after its upload, and uploads that nobody ends, are swept up', async () => {
    const { body: form } = await client['register-upload']({ body: { folder } })
    const bytes = await images['plain.png']()
    const { headers } = await postForm(form, bytes, 'first.png')
    const finalize = new URL(headers.get('location')!)
    assert.equal((await service.request(finalize.pathname + finalize.search)).status, 200)
    const again = new URL((await postForm(form, bytes, 'second.png')).headers.get('location')!).searchParams
    const object = { Bucket: again.get('bucket')!, Key: again.get('key')! }
    await s3.send(new HeadObjectCommand(object))
    const begun = await client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes: 10 } })
    const params = { uploadId: begun.body.upload_id }
    await accounts.table.update(uploadKey(params.uploadId), { set: { expires: 0 } })
    await runNow(`expire-upload.${params.uploadId}`)
    await until(async () => (await accounts.table.get<UploadRecord>(uploadKey(params.uploadId)))?.hasEnded)
    assert.equal((await client['get-multipart-upload']({ params })).status, 410)
    await run('sweep-uploads')
    await assert.rejects(s3.send(new HeadObjectCommand(object)), { name: 'NotFound' })
  })

  test('the bytes that a file has already are freed', async () => {
    const bytes = await images['plain.png']()
    const id = await imported(bytes, 'plain.png')
    const { body: form } = await client['register-upload']({ body: { replaces: id } })
    const finalize = new URL((await postForm(form, bytes, 'again.png')).headers.get('location')!)
    const finalized = await service.request(finalize.pathname + finalize.search)
    assert.deepEqual(await finalized.json(), { media_id: id, unchanged: true })
  })

  test('a large file is compared with its MD5 by a job', async () => {
    const bytes = randomBytes(9 * 1024 ** 2)
    const { body } = await client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes: bytes.length } })
    const uploadId = body.upload_id
    await putParts(client, uploadId, body.part_bytes, bytes)
    const [wrong, right] = ['0'.repeat(32), createHash('md5').update(bytes).digest('hex')]
    // What `complete` asks for where a file is larger than a request compares.
    const { library } = accounts
    await library.table.update(uploadKey(uploadId), { set: { isFinalizing: true, comparing: wrong } })
    await library.table.transact({
      job: compareJob.ask(library, { companyId: company, subject: uploadId, input: { uploadId, by: library.by } }),
    })
    const complete = async (md5: string) => (await client['complete-multipart-upload']({ params: { uploadId }, body: { md5 } })).status
    assert.equal(await until(async () => ((await complete(wrong)) === 422 ? 422 : undefined)), 422)
    assert.equal(await complete(right), 200)
  })

  test('a large picture is published with a smaller one that others are made of', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const large = sharp({ create: { width: 2400, height: 1800, channels: 3, background: 'black', noise } }).jpeg()
    const id = await imported(await large.toBuffer(), 'large.jpg')
    await client['copy-media']({ params: { id, folderId: service.demo.cdn_folder_id! } })
    const params = { company, folder: service.demo.cdn_folder_id!, media: id }
    const url = await until(async () => {
      const { body } = await client['get-link']({ params })
      return body.state === 'active' && (body.url ?? undefined)
    })
    const rawPath = new URL(url).pathname.replace(/\.\w+$/, '')
    const requestContext = { requestId: 'x', http: { method: 'GET' } }
    const event = { version: '2.0', rawPath, rawQueryString: 'width=40', headers: {}, requestContext }
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: `${stack}-render-image`, Payload: JSON.stringify(event) }))
    assert.equal(JSON.parse(Buffer.from(Payload!).toString()).statusCode, 200)
  })

  test('a slow webhook that nobody has is tried by a job of its own', async () => {
    const { body: made } = await client['create-webhook']({ body: { url: 'https://hooks.example.invalid/' } })
    const params = { webhookId: made.id }
    await accounts.table.update(webhookKey(companyOf(made.id)!, made.id), { set: { isSlow: true } })
    assert.equal((await client['test-webhook']({ params })).status, 200)
    await until(async () => ((await client['list-deliveries']({ params })).body.deliveries[0]?.attempts.length ?? 0) > 0)
    await client['delete-webhook']({ params })
  })

  test('a sign-on at a provider that is not there is 502, at its start and at its end', async () => {
    const choices = { domains: [], usernameClaim: 'email' as const, groups: [], createUsers: true, joinByEmail: false }
    const provider = { clientId: 'library', clientSecret: 'a secret of the client' }
    const input = { companyId: company, name: 'Nobody', issuer: 'https://login.example.invalid', ...provider, ...choices }
    const { providerId } = await createProvider(accounts.library, input)
    assert.equal((await service.request(`/session/sso/${providerId}`)).status, 502)
    let state = ''
    const openId: Pick<OpenIdProviders, 'startUrl'> = {
      async startUrl(_provider, asked) {
        state = asked.state
        return 'https://login.example.invalid/'
      },
    }
    const library = { ...accounts.library, clock: systemClock, log: jsonLog(() => undefined), openId: openId as OpenIdProviders }
    const begun = { providerId, callbackUrl: `${service.baseUrl}/session/sso/callback`, returnTo: '/console/' }
    const { browser } = await startSignOn(library, begun, undefined)
    const path = `/session/sso/callback?${new URLSearchParams({ state, code: 'code' })}`
    const cookie = `${hostCookieName(SIGN_ON_COOKIE, true)}=${browser}`
    assert.equal((await service.request(path, { headers: { cookie } })).status, 502)
    const claims = { iss: input.issuer, aud: provider.clientId, sub: 'anna', jti: 'logout', exp: 4_000_000_000 }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const body = new URLSearchParams({ logout_token: new UnsecuredJWT({ ...claims, events }).encode() })
    assert.equal((await service.request(logoutPath(providerId), { method: 'POST', body })).status, 400)
  })

  test('each function that searches asks for an index where the one that is stored is lost, and searches by the new one', async () => {
    await setStock(accounts.library, company, true)
    const q = 'harbour'
    const secret = await linkTo(folder)
    const values = { q, return_values: 'unique_media_id' }
    const change = { select: { search: { q }, expect: 0 }, change: { editorial: true } }
    const isCounted = (each: object) => 'file_count' in each && each.file_count !== null
    const searches: [key: string, of: CompanyId, search: () => Promise<{ status: number; body: unknown }>][] = [
      ['search-media', company, () => client['search-media']({ query: values })],
      ['get-search-layout', company, () => client['get-search-layout']({ query: { q } })],
      ['suggest-search', company, () => client['suggest-search']({ query: { q } })],
      ['change-media-in-bulk', company, () => client['change-media-in-bulk']({ body: change })],
      ['search-stock', CATALOGUE, () => client['search-stock']({ query: values })],
      ['visit-share', company, () => client['list-shared']({ params: { secret } })],
      // It lists folders without the number of files while there is no index.
      ['list-folders', company, () => client['list-folders']({ query: { parent: '0' } })],
    ]
    const lost = { name: 'lost', format: INDEX_FORMAT, asOf: 1, made: 1, isComplete: true, bytes: 1, stored: 1 }
    for (const [key, companyId, search] of searches) {
      // What it has in memory would do.
      await endFunction(key)
      await accounts.table.put({ ...snapshotsKey(companyId), companyId, snapshots: [lost] })
      const isAnswered = async () => {
        const { status, body } = await search()
        return status === 200 && (key !== 'list-folders' || (body as object[]).some(isCounted))
      }
      assert.ok(await until(isAnswered), key)
    }
    await setStock(accounts.library, company, false)
  })

  test('a file whose bytes are lost is a 500 of its download, not a refusal', async () => {
    const id = await imported(await images['plain.jpg'](), 'lost.jpg')
    const Bucket = (await stackResources(stack)).find((each) => each.id.startsWith('StorageMedia'))!.physicalId
    await s3.send(new DeleteObjectCommand({ Bucket, Key: objectKeys.original({ companyId: company, mediaId: toMediaId(id) }) }))
    await client['set-title']({ params: { id }, body: { en: 'Lost' } })
    assert.equal((await client['get-download-location']({ params: { id } })).status, 500)
  })
})
