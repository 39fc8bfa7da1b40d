import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { playerFiles, playerHeaders } from '../../../infra/player/player-files.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, CACHING_OPTIMIZED, headersOf, pointsAt, synthesize } from './synthesized.ts'

const sample = synthesize(sampleTables)

describe('the host of the player', () => {
  const config = sample.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith('PlayerDelivery'))!
    .properties.DistributionConfig
  const behavior = config.DefaultCacheBehavior

  test('shows the files that the deployment puts below one prefix of the public bucket, the page for the bare address', () => {
    assert.equal(config.DefaultRootObject, 'index.html')
    const [origin, ...others] = config.Origins
    assert.deepEqual([origin.OriginPath, others, config.CacheBehaviors], ['/_/player', [], undefined])
    assert.match(asText(origin.DomainName), /^<StoragePublic\w+\.RegionalDomainName>$/)
    assert.equal(behavior.ViewerProtocolPolicy, 'redirect-to-https')
    assert.equal(behavior.Compress, true)
  })

  test('labels answers as the host of one machine does, and names the host of streams', () => {
    const policy = sample.resources.find(({ id }) => id === pointsAt(behavior.ResponseHeadersPolicyId))!
    assert.deepEqual(headersOf(policy), playerHeaders({ cdnUrl: asText(sample.template.Outputs.CdnUrl.Value) }))
  })

  test('keeps files for the time that their labels say: no page for long, whose headers an update changes at another moment', () => {
    assert.equal(behavior.CachePolicyId, CACHING_OPTIMIZED)
    const [page] = playerFiles({ cdnUrl: 'https://cdn.example.com', playerUrl: 'https://player.example.com', formerCdnUrls: [] })
    assert.deepEqual([page!.path, page!.cacheControl], ['index.html', 'public, max-age=60'])
  })

  test('its files are put again when one of them, or an address in them, changes', () => {
    const [{ properties } = { properties: {} }] = sample.ofType('Custom::Buckets')
    assert.match(properties.Player, /^[0-9a-f]{64}$/)
    assert.match(asText(properties.CdnUrl), /^https:\/\/<LinkDelivery/)
    assert.match(asText(properties.PlayerUrl), /^https:\/\/<PlayerDelivery/)
  })
})
