import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { renderImage } from '../../../functions/events/render-image.ts'
import { cloudFrontCache, cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { EdgeCacheBusy, EdgeCacheUnavailable } from '../../../shared/backends/edge-cache/port.ts'
import { type Answer, answering, breaking, clientOf, type Received } from '../../support/answering.ts'

const xml = (status: number, body: string): Answer => {
  return (response) => response.writeHead(status, { 'content-type': 'text/xml' }).end(`<?xml version="1.0"?>${body}`)
}
const invalidation = (state: string, httpStatus = 201) =>
  xml(httpStatus, `<Invalidation><Id>I1</Id><Status>${state}</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime></Invalidation>`)
const refusal = (status: number, code: string) =>
  xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
  )

/** CloudFront, which gives one answer after the other, the last one again and again. */
async function cloudFront(...answers: Answer[]) {
  const { endpoint, received } = await answering(...answers)
  const client = cloudFrontClient(clientOf(endpoint, 'us-east-1'))
  onTestFinished(() => client.destroy())
  return { cache: cloudFrontCache({ distributionId: 'E1', client }), received }
}

describe('what is sent to CloudFront', () => {
  test('tags as paths, counted, under the name of the call', async () => {
    const { cache, received } = await cloudFront(invalidation('InProgress'))
    assert.equal(await cache.invalidate({ tags: ['link-1', 'link-2', 'link-3'] }, 'reference-1'), 'I1')
    const [{ method, url, body }] = received as [Received]
    assert.deepEqual([method, url], ['POST', '/2020-05-31/distribution/E1/invalidation'])
    assert.deepEqual(
      [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path]) => path),
      ['#link-1', '#link-2', '#link-3'],
    )
    assert.match(body, /<Quantity>3<\/Quantity>/)
    assert.match(body, /<CallerReference>reference-1<\/CallerReference>/)
  })

  test('beginnings of paths with an asterisk', async () => {
    const { cache, received } = await cloudFront(invalidation('InProgress'))
    await cache.invalidate({ prefixes: ['/streams/1/', '/streams/2/'] }, 'reference-2')
    assert.deepEqual(
      [...received[0]!.body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path]) => path),
      ['/streams/1/*', '/streams/2/*'],
    )
  })

  test('twice, so far apart that nothing rendered before is on its way any more', async () => {
    const { cache } = await cloudFront(invalidation('InProgress'))
    assert.ok(cache.inFlightSeconds >= 2 * renderImage.timeoutSeconds)
  })

  test('questions by the id that it gave', async () => {
    const { cache, received } = await cloudFront(invalidation('InProgress', 200), invalidation('Completed', 200))
    assert.equal(await cache.isDone('I1'), false)
    assert.equal(await cache.isDone('I1'), true)
    assert.deepEqual([received[0]!.method, received[0]!.url], ['GET', '/2020-05-31/distribution/E1/invalidation/I1'])
  })

  test('wherever the function runs, requests go to the one region of CloudFront and are signed for it', async () => {
    const client = cloudFrontClient({ region: 'eu-west-1', credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } })
    onTestFinished(() => client.destroy())
    let sent: { hostname?: string; headers?: Record<string, string> } = {}
    client.middlewareStack.add(
      () =>
        async ({ request }) => {
          sent = request as typeof sent
          throw new Error('far enough')
        },
      { step: 'finalizeRequest', priority: 'low' },
    )
    await assert.rejects(cloudFrontCache({ distributionId: 'E1', client }).isDone('I1'), EdgeCacheUnavailable)
    assert.equal(sent.hostname, 'cloudfront.amazonaws.com')
    assert.match(sent.headers?.authorization ?? '', /\/us-east-1\/cloudfront\/aws4_request/)
  })
})

describe('what CloudFront answers', () => {
  test('too many invalidations in progress: busy, and not asked again at once', async () => {
    const { cache, received } = await cloudFront(refusal(400, 'TooManyInvalidationsInProgress'))
    await assert.rejects(cache.invalidate({ tags: ['link-1'] }, 'r'), EdgeCacheBusy)
    assert.equal(received.length, 1)
  })

  test('requests that come too fast: the SDK is patient for a moment, then it is busy', async () => {
    const { cache, received } = await cloudFront(refusal(400, 'Throttling'))
    await assert.rejects(cache.invalidate({ tags: ['link-1'] }, 'r'), EdgeCacheBusy)
    assert.equal(received.length, 2)
    await assert.rejects(cache.isDone('I1'), EdgeCacheBusy)
  })

  test('an answer that is lost: the same call under the same name', async () => {
    for (const lost of [breaking, xml(503, '')]) {
      const { cache, received } = await cloudFront(lost, invalidation('InProgress'))
      assert.equal(await cache.invalidate({ tags: ['link-1'] }, 'the name'), 'I1')
      assert.equal(received.length, 2)
      assert.equal(received[0]!.body, received[1]!.body)
      assert.match(received[1]!.body, /the name/)
    }
  })

  test('something broken, or a refusal: unavailable', async () => {
    for (const answer of [breaking, refusal(403, 'AccessDenied')]) {
      const { cache } = await cloudFront(answer)
      await assert.rejects(cache.invalidate({ tags: ['link-1'] }, 'r'), EdgeCacheUnavailable)
      await assert.rejects(cache.isDone('I1'), EdgeCacheUnavailable)
    }
  })

  test('that it knows no such invalidation: it is done', async () => {
    const { cache } = await cloudFront(refusal(404, 'NoSuchInvalidation'))
    assert.equal(await cache.isDone('I1'), true)
  })
})
