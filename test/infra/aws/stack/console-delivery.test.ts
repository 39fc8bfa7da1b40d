import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { consoleHeaders } from '../../../../infra/clients/console/console-files.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, CACHING_OPTIMIZED, headersOf, type Json, pointsAt, synthesize } from './synthesized.ts'

const sample = synthesize(sampleTables)

describe('the console', () => {
  const { CacheBehaviors: behaviors, Origins: origins } = sample
    .ofType('AWS::CloudFront::Distribution')
    .find(({ id }) => id.startsWith('ApiDelivery'))!.properties.DistributionConfig

  test("is on the API's host: what the deployment puts below one prefix of the public bucket, which nobody else may read", () => {
    assert.deepEqual(
      behaviors.map(({ PathPattern }: Json) => PathPattern),
      ['/console', '/console/*'],
    )
    for (const behavior of behaviors) {
      const origin = origins.find(({ Id }: Json) => Id === behavior.TargetOriginId)
      assert.equal(origin.OriginPath, '/_/console')
      assert.match(asText(origin.DomainName), /^<StoragePublic\w+\.RegionalDomainName>$/)
      assert.match(asText(origin.OriginAccessControlId), /^<ConsoleDeliveryAccess\w+\.Id>$/)
      assert.deepEqual([behavior.ViewerProtocolPolicy, behavior.Compress], ['redirect-to-https', true])
      assert.match(asText(behavior.FunctionAssociations[0].FunctionARN), /^<ConsoleDeliveryRequest/)
      // CachingOptimized: for as long as the labels of the files say.
      assert.equal(behavior.CachePolicyId, CACHING_OPTIMIZED)
    }
  })

  test('labels answers as one machine does, and names the hosts of links, files and uploads', () => {
    const policy = sample.resources.find(({ id }) => id === pointsAt(behaviors[0].ResponseHeadersPolicyId))!
    const { CdnUrl, DeliveryUrl } = sample.template.Outputs
    const csp = consoleHeaders({ links: asText(CdnUrl.Value), files: asText(DeliveryUrl.Value), uploads: 'https://<uploads>' })
    const headers = headersOf(policy)
    const { 'content-security-policy': found = '', ...others } = headers
    const { 'content-security-policy': expected = '', ...expectedOthers } = csp
    assert.deepEqual(others, expectedOthers)
    assert.equal(found.replace(/<StorageUploads\w+\.RegionalDomainName>/, '<uploads>'), expected)
  })

  test('is put again when it changes', () => {
    const [{ properties } = { properties: {} }] = sample.ofType('Custom::Buckets')
    assert.match(properties.Console, /^[0-9a-f]{16}$/)
  })
})
