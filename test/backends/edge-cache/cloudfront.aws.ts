import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { CloudFrontClient, CreateDistributionCommand, ListInvalidationsCommand } from '@aws-sdk/client-cloudfront'
import { afterAll, describe, test } from 'vitest'
import { cloudFrontCache } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { EdgeCacheUnavailable } from '../../../shared/backends/edge-cache/port.ts'
import { edgeCacheContract } from './contract.ts'

const client = new CloudFrontClient()
afterAll(() => client.destroy())

async function distribution(): Promise<string> {
  const DistributionConfig = {
    ...{ CallerReference: randomUUID(), Comment: 'links', Enabled: true },
    Origins: { Quantity: 1, Items: [{ Id: 'copies', DomainName: 'copies.example.com' }] },
    DefaultCacheBehavior: { TargetOriginId: 'copies', ViewerProtocolPolicy: 'https-only' as const },
  }
  const made = await client.send(new CreateDistributionCommand({ DistributionConfig }))
  return made.Distribution!.Id!
}

edgeCacheContract('CloudFront', async () => ({
  cache: cloudFrontCache({ distributionId: await distribution(), client }),
  async close() {},
}))

describe('CloudFront', () => {
  test('a request that is repeated begins nothing again', async () => {
    const DistributionId = await distribution()
    const cache = cloudFrontCache({ distributionId: DistributionId, client })
    for (let time = 1; time <= 3; time += 1) await cache.invalidate({ tags: ['link-1'] }, 'the same')
    const { InvalidationList } = await client.send(new ListInvalidationsCommand({ DistributionId }))
    assert.equal(InvalidationList?.Quantity, 1)
  })

  test('a distribution that is not there is EdgeCacheUnavailable', async () => {
    const cache = cloudFrontCache({ distributionId: 'E0NOTTHERE', client })
    await assert.rejects(cache.invalidate({ tags: ['link-1'] }, randomUUID()), EdgeCacheUnavailable)
    await assert.rejects(cache.isDone('I1'), EdgeCacheUnavailable)
  })
})
