import assert from 'node:assert/strict'
import { CloudFrontClient, GetInvalidationCommand, ListDistributionsCommand, ListInvalidationsCommand } from '@aws-sdk/client-cloudfront'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { images } from '../../support/pictures/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { uploadAndImport } from '../../support/uploading.ts'

describe('links', () => {
  let service: Service
  let client: Awaited<ReturnType<Service['client']>>
  let params: { company: number; folder: number }
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    params = { company: service.demo.company_id, folder: service.demo.cdn_folder_id! }
  })
  afterAll(() => service.stop())

  const imported = async (bytes: Buffer, name: string) => Number((await uploadAndImport(client, service.demo.folder_id, bytes, name)).id)
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

  test('are published, rendered, replaced and ended', async () => {
    const [first, second] = [await images['plain.jpg'](), await images['plain.png']()]
    const old = await imported(first, 'first.jpg')
    await client['copy-media']({ params: { id: old, folderId: params.folder } })
    const url = await until(async () => {
      const { body } = await client['get-link']({ params: { ...params, media: old } })
      return body.state === 'active' && body.url !== null ? body.url : undefined
    })
    assert.equal(new URL(url).origin, service.demo.cdn_url)

    const whole = await fetch(url, { headers: { origin: 'https://client.example' } })
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(first))
    assert.deepEqual(
      ['content-type', 'cache-control'].map((label) => whole.headers.get(label)),
      ['image/jpeg', 'public, max-age=20'],
    )
    assert.match(whole.headers.get('content-security-policy') ?? '', /script-src 'none'/)
    assert.match(whole.headers.get('x-amz-meta-cache-tag') ?? '', /^link-[0-9a-f]{32}$/)
    assert.equal((await fetch(`${url}?width=0`)).status, 400)
    // The emulator leads every request to the file's copy; what the edge function makes of both events is as it ships.
    const ignoring = await fetch(`${url}?crop=2&fit=Cover&utm_source=mail`, { headers: { origin: 'https://client.example' } })
    assert.deepEqual([ignoring.status, ignoring.headers.get('link-ignored')], [200, 'fit, crop'])
    assert.match(ignoring.headers.get('access-control-expose-headers') ?? '', /Link-Ignored/)
    assert.equal((await fetch(`${url}?fit=cover`)).headers.get('link-ignored'), null)
    const refused = await fetch(`${url}?width=0&output_format=auto`)
    assert.deepEqual([refused.status, refused.headers.get('vary')], [400, 'Accept'])
    const described = await fetch(url.replace(new URL(url).origin, `${new URL(url).origin}/iiif/3`), { redirect: 'manual' })
    assert.deepEqual([described.status, described.headers.get('location')], [303, `${/[0-9a-f]{32}/.exec(url)![0]}/info.json`])
    assert.equal((await fetch(`${new URL(url).origin}/_/links/x.json`)).status, 404)

    const path = new URL(url).pathname.replace(/\.\w+$/, '')
    const picture = await rendered(service.stack!, path, 'width=40')
    assert.deepEqual([picture.status, (await sharp(picture.body).metadata()).width], [200, 40])
    assert.equal((await rendered(service.stack!, path.replace(/\w{32}$/, '0'.repeat(32)), 'width=40')).status, 404)

    const replacement = await imported(second, 'second.png')
    await client['replace-link']({ params: { ...params, old, new: replacement } })
    await until(async () => (await bytesAt(url)).equals(second))
    const tag = `#${whole.headers.get('x-amz-meta-cache-tag')}`
    await until(async () => (await invalidatedPaths(new URL(url).host)).includes(tag))

    await client['remove-media']({ params: { id: replacement, folderId: params.folder } })
    // The emulator answers 403 for an object that isn't there, also to whoever may list the bucket.
    await until(async () => (await fetch(url)).status === 403)
    assert.equal((await rendered(service.stack!, path, 'width=40')).status, 404)
  })
})

/** Calls the renderer as its function URL does, but that the answer comes whole (test/support/aws/stack-assembly.ts). */
async function rendered(stack: string, rawPath: string, rawQueryString: string): Promise<{ status: number; body: Buffer }> {
  const event = {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: {},
    requestContext: { requestId: 'rehearsed', http: { method: 'GET' } },
  }
  const lambda = new LambdaClient()
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: `${stack}-render-image`, Payload: JSON.stringify(event) }))
  lambda.destroy()
  const { statusCode, body } = JSON.parse(Buffer.from(Payload!).toString()) as { statusCode: number; body: string }
  return { status: statusCode, body: Buffer.from(body, 'base64') }
}

/** Everything that the edges of a host were told to forget. */
async function invalidatedPaths(host: string): Promise<string[]> {
  const edges = new CloudFrontClient()
  const { DistributionList } = await edges.send(new ListDistributionsCommand())
  const DistributionId = DistributionList?.Items?.find(({ DomainName }) => DomainName === host)?.Id
  const { InvalidationList } = await edges.send(new ListInvalidationsCommand({ DistributionId }))
  const told = await Promise.all(
    (InvalidationList?.Items ?? []).map(({ Id }) => edges.send(new GetInvalidationCommand({ DistributionId, Id }))),
  )
  edges.destroy()
  return told.flatMap(({ Invalidation }) => Invalidation?.InvalidationBatch?.Paths?.Items ?? [])
}
