import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { regions } from '../../../../infra/aws/deploy/regions.ts'
import { LINK_HEADERS } from '../../../../shared/http/protocol/link-answer.ts'
import { streamCacheControl } from '../../../../shared/library/videos/objects.ts'
import { PLAYLIST } from '../../../../shared/vocabulary/video.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, CACHING_OPTIMIZED, headersOf, type Json, pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const sample = synthesize(sampleTables)

describe('the host of links', () => {
  const config = sample.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith('LinkDelivery'))!
    .properties.DistributionConfig
  const behavior = config.DefaultCacheBehavior
  const named = (type: string, reference: Json): Json =>
    sample.resources.find((each) => each.type === type && each.id === pointsAt(reference))

  test('has the two origins that the edge function names, each with an access of its own', () => {
    const origins = config.Origins.map(({ Id, DomainName, OriginAccessControlId }: Json) => {
      const access = named('AWS::CloudFront::OriginAccessControl', OriginAccessControlId).properties.OriginAccessControlConfig
      return [Id, /StoragePublic|Url/.exec(JSON.stringify(DomainName))?.[0], access.OriginAccessControlOriginType, access.SigningBehavior]
    })
    assert.deepEqual(origins, [
      ['copies', 'StoragePublic', 's3', 'always'],
      ['renderer', 'Url', 'lambda', 'always'],
    ])
    for (const { TargetOriginId, FunctionAssociations } of [behavior, ...config.CacheBehaviors]) {
      assert.equal(TargetOriginId, 'copies')
      assert.deepEqual(FunctionAssociations, behavior.FunctionAssociations, 'no request goes past the edge function')
    }
    const events = behavior.FunctionAssociations.map(({ EventType }: Json) => EventType)
    assert.deepEqual(events, ['viewer-request', 'viewer-response'])
  })

  test('keeps an answer under path and query until its tag is invalidated, an error for seconds', () => {
    const {
      MinTTL,
      MaxTTL,
      ParametersInCacheKeyAndForwardedToOrigin: key,
    } = named('AWS::CloudFront::CachePolicy', behavior.CachePolicyId).properties.CachePolicyConfig
    const { QueryStringsConfig, HeadersConfig, CookiesConfig } = key
    // The edge function gives `Accept` one value. CloudFront takes `Vary: Accept` from answers where the header isn't part of the key.
    assert.deepEqual([MinTTL, MaxTTL, QueryStringsConfig.QueryStringBehavior], [31_536_000, 31_536_000, 'all'])
    assert.deepEqual([HeadersConfig, CookiesConfig.CookieBehavior], [{ HeaderBehavior: 'whitelist', Headers: ['Accept'] }, 'none'])
    assert.equal(config.CacheTagConfig.HeaderName, 'x-amz-meta-cache-tag')
    for (const { ErrorCode, ErrorCachingMinTTL } of config.CustomErrorResponses) assert.equal(ErrorCachingMinTTL, 5, ErrorCode)
  })

  test('labels answers as the host of one machine does; files of streams, which MediaConvert stores without labels, too', () => {
    const labels = (id: Json) => headersOf(named('AWS::CloudFront::ResponseHeadersPolicy', id))
    assert.deepEqual(labels(behavior.ResponseHeadersPolicyId), LINK_HEADERS)
    const [playlists, files] = config.CacheBehaviors
    for (const [each, name] of [
      [playlists, PLAYLIST],
      [files, 'segment_1.m4s'],
    ] as const)
      assert.deepEqual(labels(each.ResponseHeadersPolicyId), { ...LINK_HEADERS, 'cache-control': streamCacheControl(name) })
  })

  test('keeps the manifests of IIIF for as long as they say, with the labels of links', () => {
    const manifests = config.CacheBehaviors.find(({ PathPattern }: Json) => PathPattern === 'iiif/*/manifest.json')
    assert.deepEqual([manifests.CachePolicyId, manifests.ResponseHeadersPolicyId], [CACHING_OPTIMIZED, behavior.ResponseHeadersPolicyId])
  })

  test('one cache asks the renderer, in the region of the stack where there is one', () => {
    const [copies, renderer] = config.Origins
    assert.equal(copies.OriginShield, undefined)
    const [condition, shield] = renderer.OriginShield['Fn::If']
    assert.deepEqual(shield, { Enabled: true, OriginShieldRegion: { Ref: 'AWS::Region' } })
    const named: string[] = JSON.stringify(sample.template.Conditions[condition]).match(/[a-z]{2}-[a-z]+-\d/g) ?? []
    assert.equal(named.length, 12)
    assert.ok(named.every((region) => (regions as readonly string[]).includes(region)))
  })

  test('renders with the executions that the operator reserves, or with those of all', () => {
    const reserved = (stack: Synthesized) =>
      stack.ofType('AWS::Lambda::Function').find(({ id }) => id.startsWith('renderthing'))!.properties.ReservedConcurrentExecutions
    assert.equal(reserved(sample), 10)
    assert.equal(reserved(synthesize(sampleTables, { renderConcurrency: '0' })), undefined)
  })

  test('links have a web ACL and steps of sizes where settings say so, and only there', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/links/01234567-89ab-cdef-0123-456789abcdef'
    const chosen = synthesize(sampleTables, { linkSizeSteps: 'true', linkWebAclArn: webAclArn })
    for (const [template, acls, steps] of [
      [sample, '', 'const SIZE_STEPS = []'],
      [chosen, `Links: ${webAclArn}`, 'const SIZE_STEPS = [64,160,320,640,1024,1600,2560,4096]'],
    ] as const) {
      const distributions = template.ofType('AWS::CloudFront::Distribution').map(({ properties }) => properties.DistributionConfig)
      assert.equal(distributions.flatMap(({ WebACLId, Comment }) => (WebACLId ? `${Comment}: ${WebACLId}` : [])).join(), acls)
      const code = template.ofType('AWS::CloudFront::Function').map(({ properties }) => asText(properties.FunctionCode))
      assert.equal(code.filter((text) => text.includes(steps)).length, 1)
    }
  })
})
