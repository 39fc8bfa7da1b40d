import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation'
import { DeleteTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { DeleteParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { emptyBucket } from '../../infra/aws/custom-resources/empty-bucket.ts'
import { protect } from '../../infra/aws/deploy/protection.ts'
import { parameterName } from '../../shared/backends/secrets/parameters.ts'
import { FIRST_PROVIDED_ID } from '../../shared/vocabulary/ids.ts'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { destroyed } from '../support/aws/stack-destruction.ts'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { newCompany } from '../support/company.ts'
import { images } from '../support/pictures/index.ts'
import { type Service, serviceAt, startService } from '../support/service.ts'
import { type StockProvider, startStockProvider } from '../support/stock-provider.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { cdk, folder, settled, stack } from './changing.ts'

const SECOND = 'second-library'
const retaining = { stackName: SECOND, retain: 'true', isNew: 'true' }

/** Outputs that name what outlives the stack. */
const KEPT_OUTPUTS = ['TableName', 'MediaBucket', 'PublicBucket', 'ApiSecretsKeyArn'] as const

type Kept = Readonly<Record<(typeof KEPT_OUTPUTS)[number], string>>
type Client = Awaited<ReturnType<Service['client']>>

describe('a second stack in the same account, which retains its data', () => {
  const secrets = new SecretsManagerClient()
  let provider: StockProvider
  let assembly: Assembly
  let keyArn = ''
  let before: string[]
  let kept: Kept | undefined
  beforeAll(async () => {
    provider = await startStockProvider()
    const { ARN = '' } = await secrets.send(new CreateSecretCommand({ Name: 'stock-provider', SecretString: provider.key }))
    keyArn = ARN
    const ofProvider = { stockProviderUrl: provider.url, stockProviderKeyArn: keyArn }
    before = await inventory(process.env)
    assembly = await Assembly.synthesize(cdk, `${folder}/second`, { ...retaining, ...ofProvider })
  })
  afterAll(async () => {
    if (kept) await removeData(kept)
    await secrets.send(new DeleteSecretCommand({ SecretId: keyArn, ForceDeleteWithoutRecovery: true }))
    secrets.destroy()
    await provider[Symbol.asyncDispose]()
  })

  /** Deploys, and ends that as soon as it has come so far. @param far is told what the CLI has written */
  async function interrupt(far: (written: string) => Promise<boolean>): Promise<void> {
    const deployment = cdk.startDeployment(assembly)
    let written = ''
    for (const stream of [deployment.stdout, deployment.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        written += text
      })
    }
    const ended = once(deployment, 'close')
    while (!(await far(written))) {
      assert.equal(deployment.exitCode, null, `it was not ended in time:\n${written.slice(-2_000)}`)
      await pause(20)
    }
    deployment.kill('SIGKILL')
    await ended
  }

  test('is made by repeating a deployment that was interrupted among its files, then among its resources', async () => {
    await interrupt(async (written) => /publish/i.test(written))
    assert.match((await stateOf(SECOND)).status, /ABSENT|REVIEW_IN_PROGRESS/)
    await interrupt(async () => (await stateOf(SECOND)).status === 'CREATE_IN_PROGRESS')
    await cdk.deploy(assembly)
    assert.equal(await settled(SECOND), 'CREATE_COMPLETE')
  })

  test('answers as the first does, and neither knows of the other', async () => {
    const first = await startService()
    const baseUrl = (await stateOf(SECOND)).outputs.BaseUrl!
    const second = serviceAt(baseUrl, await newCompany(SECOND, baseUrl))
    assert.notEqual(first.baseUrl, second.baseUrl)
    const [ofFirst, ofSecond] = [await first.signIn(), await second.signIn()]
    const status = async (service: typeof first, authorization: string) =>
      (await service.request('/folder', { headers: { authorization } })).status
    assert.deepEqual(await Promise.all([status(first, ofFirst), status(second, ofSecond)]), [200, 200])
    assert.deepEqual(await Promise.all([status(first, ofSecond), status(second, ofFirst)]), [401, 401])
  })

  test('takes its stock from the provider that the operator names, with the key that is in a secret of theirs', async () => {
    const facts = { kind: 'image', created: '2024-01-01T12:00:00Z', mime: 'image/jpeg', bytes: 1000, width: 300, height: 200 } as const
    provider.items.set(1, { id: 1, filename: 'pier.jpg', title: { en: 'Pier', da: 'Mole' }, ...facts })
    const baseUrl = (await stateOf(SECOND)).outputs.BaseUrl!
    const company = await newCompany(SECOND, baseUrl)
    const client = await serviceAt(baseUrl, company).client()
    const search = () => client['search-stock']({ query: { q: 'mole', lang: 'da', return_values: 'unique_media_id,title' } })
    const [id, params] = [FIRST_PROVIDED_ID + 1, { id: FIRST_PROVIDED_ID + 1 }]
    assert.deepEqual((await search()).body.response, { hits: 1, media: [{ unique_media_id: id, title: 'Mole' }] })
    const { body: document } = await client['get-media']({ params })
    assert.deepEqual([document.id, document.type, document.filename], [id, 'stock', 'pier.jpg'])
    assert.equal((await client['get-preview']({ params })).status, 302)
    const download = await client['get-download-location']({ params })
    assert.deepEqual([download.status, new URL(download.body.url).origin], [200, new URL(provider.url).origin])
    assert.equal((await client['get-sized-download-location']({ params: { id, size: '320px' } })).status, 404)
    assert.deepEqual(
      provider.sales.map(({ item, user, company }) => ({ item, user, company })),
      [{ item: 1, user: company.user_id, company: company.company_id }],
    )
    provider.instead = (response) => response.writeHead(500).end()
    const refused = await search()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10'])
    assert.equal((await client['search-media']({ query: { q: 'mole', return_values: 'title' } })).status, 200)
    provider.instead = undefined
  })

  test('is destroyed, and the first stays; a new one adopts what it retained: users, files and links', async () => {
    const { outputs } = await stateOf(SECOND)
    kept = keptOf(outputs)
    const company = await newCompany(SECOND, outputs.BaseUrl!)
    const picture = await images['plain.jpg']()
    const former = await serviceAt(outputs.BaseUrl!, company).client()
    const id = Number((await uploadAndImport(former, company.folder_id, picture, 'kept.jpg')).id)
    await former['copy-media']({ params: { id, folderId: company.cdn_folder_id! } })
    const linkParams = { company: company.company_id, folder: company.cdn_folder_id!, media: id }
    const link = new URL(await linkOf(former, linkParams))
    await isProtected(assembly)
    await destroy(assembly)
    assert.match((await stateOf(stack)).status, /COMPLETE$/)
    assert.equal((await (await startService()).request('/folder')).status, 401)

    const adopting = await Assembly.synthesize(cdk, `${folder}/adopting`, {
      ...retaining,
      adoptTable: kept.TableName,
      adoptMediaBucket: kept.MediaBucket,
      adoptPublicBucket: kept.PublicBucket,
      adoptApiSecretsKeyArn: kept.ApiSecretsKeyArn,
    })
    await cdk.deploy(adopting)
    const again = (await stateOf(SECOND)).outputs
    assert.deepEqual(keptOf(again), kept)
    const client = await serviceAt(again.BaseUrl!, company).client()
    const { body } = await client['get-download-location']({ params: { id }, query: { original: 1 } })
    assert.ok((await bytesAt(body.url)).equals(picture))
    const found = await client['search-media']({ query: { unique_media_id: id, return_values: 'unique_media_id' } })
    assert.equal(found.body.response.hits, 1)
    assert.equal(await linkOf(client, linkParams), again.CdnUrl + link.pathname)
    assert.ok((await bytesAt(again.CdnUrl + link.pathname)).equals(picture))
    // Changes of the table start jobs, as its stream is followed.
    await uploadAndImport(client, company.folder_id, await images['plain.png'](), 'later.png')

    await destroy(adopting)
    await removeData(kept)
    kept = undefined
    assert.deepEqual(await inventory(process.env), before)
  })
})

/** As `npm run deploy` leaves it: destroying it is refused until its operator says otherwise. */
async function isProtected(assembly: Assembly): Promise<void> {
  const client = new CloudFormationClient()
  await protect(client, SECOND)
  const { code, out } = await destroyed(assembly, '')
  assert.deepEqual([code, /protected from deletion/.test(out)], [1, true], out)
  await client.send(new UpdateTerminationProtectionCommand({ StackName: SECOND, EnableTerminationProtection: false }))
  client.destroy()
}

/** `npm run destroy`. It has nothing to ask, because files stay. */
async function destroy(assembly: Assembly): Promise<void> {
  const { code, out } = await destroyed(assembly, '')
  assert.equal(code, 0, out)
  assert.match((await stateOf(assembly.stackName)).status, /ABSENT|DELETE_COMPLETE/)
}

const keptOf = (outputs: Readonly<Record<string, string>>) => Object.fromEntries(KEPT_OUTPUTS.map((name) => [name, outputs[name]])) as Kept

const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

/** Address of a link, once it is published. */
async function linkOf(client: Client, params: { company: number; folder: number; media: number }): Promise<string> {
  return until(async () => {
    const { body } = await client['get-link']({ params })
    return body.state === 'active' && (body.url ?? false)
  })
}

async function removeData({ TableName, MediaBucket, PublicBucket, ApiSecretsKeyArn }: Kept): Promise<void> {
  const [dynamo, s3, ssm] = [new DynamoDBClient(), new S3Client(), new SSMClient()]
  await dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }))
  await dynamo.send(new DeleteTableCommand({ TableName }))
  for (const Bucket of [MediaBucket, PublicBucket]) {
    await emptyBucket(s3, Bucket, { times: 1, pauseMs: 0 })
    await s3.send(new DeleteBucketCommand({ Bucket }))
  }
  await ssm.send(new DeleteParameterCommand({ Name: parameterName(ApiSecretsKeyArn) }))
  for (const client of [dynamo, s3, ssm]) client.destroy()
}
