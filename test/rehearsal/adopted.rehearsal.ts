import assert from 'node:assert/strict'
import { DeleteTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, describe, test } from 'vitest'
import { emptyBucket } from '../../infra/custom-resources/empty-bucket.ts'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { destroyed } from '../support/aws/stack-destruction.ts'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { newCompany } from '../support/company.ts'
import { images } from '../support/pictures/index.ts'
import { type Service, serviceAt } from '../support/service.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { cdk, folder } from './changing.ts'

const KEPT = 'kept-library'
/** Outputs that name what outlives the stack. */
const KEPT_OUTPUTS = ['TableName', 'MediaBucket', 'PublicBucket', 'ApiSecretsKeyArn'] as const

type Kept = Readonly<Record<(typeof KEPT_OUTPUTS)[number], string>>
type Client = Awaited<ReturnType<Service['client']>>

describe('what a destroyed stack retained', () => {
  let kept: Kept | undefined
  afterAll(() => kept && removeData(kept))

  test('is adopted by a new one: users sign in, download their files, and their links show them', async () => {
    const before = await inventory(process.env)
    const retaining = { stackName: KEPT, retain: 'true' }
    const first = await Assembly.synthesize(cdk, `${folder}/kept`, retaining)
    await cdk.deploy(first)
    const { outputs } = await stateOf(KEPT)
    kept = keptOf(outputs)
    const company = await newCompany(KEPT, outputs.BaseUrl!)
    const picture = await images['plain.jpg']()
    const former = await serviceAt(outputs.BaseUrl!, company).client()
    const id = Number((await uploadAndImport(former, company.folder_id, picture, 'kept.jpg')).id)
    await former['copy-media']({ params: { id, folderId: company.cdn_folder_id! } })
    const linkParams = { company: company.company_id, folder: company.cdn_folder_id!, media: id }
    const link = new URL(await linkOf(former, linkParams))
    await destroy(first)

    const adopting = await Assembly.synthesize(cdk, `${folder}/adopting`, {
      ...retaining,
      adoptTable: kept.TableName,
      adoptMediaBucket: kept.MediaBucket,
      adoptPublicBucket: kept.PublicBucket,
      adoptApiSecretsKeyArn: kept.ApiSecretsKeyArn,
    })
    await cdk.deploy(adopting)
    const again = (await stateOf(KEPT)).outputs
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
  const [dynamo, s3, secrets] = [new DynamoDBClient(), new S3Client(), new SecretsManagerClient()]
  await dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }))
  await dynamo.send(new DeleteTableCommand({ TableName }))
  for (const Bucket of [MediaBucket, PublicBucket]) {
    await emptyBucket(s3, Bucket, { times: 1, pauseMs: 0 })
    await s3.send(new DeleteBucketCommand({ Bucket }))
  }
  await secrets.send(new DeleteSecretCommand({ SecretId: ApiSecretsKeyArn, ForceDeleteWithoutRecovery: true }))
  for (const client of [dynamo, s3, secrets]) client.destroy()
}
