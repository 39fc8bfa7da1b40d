import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { sharedHeaders } from '../../../../infra/aws/stack/shared-headers.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, headersOf, type Json, ownHosts, pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const tables = { endpoints, events }
const real = synthesize(tables)

describe('delivery', () => {
  const distribution = (name: string) =>
    real.ofType('AWS::CloudFront::Distribution').find(({ id }) => id.startsWith(name))!.properties.DistributionConfig

  test('no error is kept: CloudFront would show one caller what another was refused', () => {
    const kept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
    for (const name of ['ApiDelivery', 'FileDelivery']) {
      const { CustomErrorResponses, CacheBehaviors = [] } = distribution(name)
      assert.deepEqual(
        CustomErrorResponses,
        kept.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
        name,
      )
      // A new behaviour says here what it caches: the console's files, which are the same for everybody.
      const paths = CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)
      assert.deepEqual(paths, name === 'ApiDelivery' ? ['/console', '/console/*'] : [], name)
    }
    const [cache] = real.ofType('AWS::CloudFront::CachePolicy')
    assert.equal(cache!.properties.CachePolicyConfig.MinTTL, 0)
  })

  test('it proves itself by a key that the template only refers to, and that CloudFormation masks', () => {
    const [header] = distribution('ApiDelivery').Origins[0].OriginCustomHeaders
    assert.equal(header.HeaderName, 'x-origin-key')
    assert.match(asText(header.HeaderValue), /^<SecretsOriginKey\w+\.OriginKey>$/)
  })

  test('files are delivered by signed URLs only, from a bucket that nobody else reads', () => {
    const { DefaultCacheBehavior, Origins } = distribution('FileDelivery')
    assert.equal(DefaultCacheBehavior.TrustedKeyGroups.length, 1)
    assert.ok(Origins[0].OriginAccessControlId)
    const [cache] = real.ofType('AWS::CloudFront::CachePolicy')
    const forwarded = cache!.properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig.QueryStrings
    assert.deepEqual(forwarded, ['response-content-disposition', 'response-content-type'])
  })

  test('edges and browsers together keep a size for an hour, within which it shows another copyright', () => {
    const [cache] = real.ofType('AWS::CloudFront::CachePolicy')
    assert.equal(cache!.properties.CachePolicyConfig.DefaultTTL, 3_600)
    assert.equal(sharedHeaders.files.headers['cache-control'], 'private, max-age=3600')
  })

  // CloudFront refuses to change a key (all but its comment), and with it the whole update of a stack. A change of a line of this
  // needs a change of the first.
  test('the key of signed URLs is the same as in stacks that exist, or another resource', () => {
    const keys = real.ofType('AWS::CloudFront::PublicKey').map(({ id, properties: { PublicKeyConfig } }) => ({
      id,
      name: asText(PublicKeyConfig.Name),
      reference: asText(PublicKeyConfig.CallerReference),
    }))
    const name = 'medialibrary-Fileivery-UrlKeyName-B9C6C2FF-<AWS::Region>'
    assert.deepEqual(keys, [{ id: 'FileDeliveryUrlPublicKey43A0BCFB', name, reference: name }])
  })

  test('everything is delivered by TLS only, and no file can act as a page of the delivery host', () => {
    for (const name of ['ApiDelivery', 'FileDelivery'])
      assert.equal(distribution(name).DefaultCacheBehavior.ViewerProtocolPolicy, 'https-only', name)
    const [headers] = real.ofType('AWS::CloudFront::ResponseHeadersPolicy')
    const { StrictTransportSecurity } = headers!.properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig
    assert.ok(StrictTransportSecurity.AccessControlMaxAgeSec >= 31_536_000)
    const { 'content-security-policy': policy, ...labels } = headersOf(headers!)
    assert.match(policy!, /sandbox/)
    assert.deepEqual([labels['x-content-type-options'], labels['access-control-allow-origin']], ['nosniff', '*'])
  })

  test('own host names take the place of those of CloudFront', () => {
    const own = synthesize(sampleTables, ownHosts)
    const urls = ['BaseUrl', 'CdnUrl', 'DeliveryUrl', 'PlayerUrl'].map((name) => own.template.Outputs[name].Value)
    const aliases = own.ofType('AWS::CloudFront::Distribution').flatMap(({ properties }) => properties.DistributionConfig.Aliases)
    assert.deepEqual(aliases.sort(), ['api.example.com', 'cdn.example.com', 'files.example.com', 'player.example.com'])
    assert.deepEqual(
      urls,
      aliases.map((host) => `https://${host}`),
    )
    for (const name of ['ApiTarget', 'CdnTarget', 'DeliveryTarget', 'PlayerTarget']) {
      const place = name.replace('Target', '').replace('Delivery', 'File').replace('Cdn', 'Link')
      assert.match(asText(own.template.Outputs[name].Value), new RegExp(`^<${place}Delivery\\w+\\.DomainName>$`))
    }
    for (const { id, properties } of own.ofType('AWS::CloudFront::Distribution')) {
      const { MinimumProtocolVersion, SslSupportMethod } = properties.DistributionConfig.ViewerCertificate
      assert.deepEqual([MinimumProtocolVersion, SslSupportMethod], ['TLSv1.2_2021', 'sni-only'], id)
    }
  })

  test('players that were given out under other host names go on: the page knows these, and may load its script', () => {
    const own = synthesize(sampleTables, { ...ownHosts, formerCdnDomains: 'old.example.com, older.example.com' })
    const [{ properties } = assert.fail()] = own.ofType('Custom::Buckets')
    const [builtIn, ...named] = properties.FormerCdnUrls
    assert.match(JSON.stringify(builtIn), /"https:\/\/",\{"Fn::GetAtt":\["LinkDelivery\w+","DomainName"\]/)
    assert.deepEqual([properties.CdnUrl, named], ['https://cdn.example.com', ['https://old.example.com', 'https://older.example.com']])
    const policies = own.ofType('AWS::CloudFront::ResponseHeadersPolicy').map(headersOf)
    const csp = policies.map((headers) => headers['content-security-policy']).find((policy) => policy?.includes('frame-ancestors *'))
    assert.match(csp ?? '', /script-src 'sha256-\S+' https:\/\/player\.example\.com\/hls\.[0-9a-f]{16}\.js;/)
    assert.match(csp ?? '', /connect-src https:\/\/cdn\.example\.com\/streams\/;/)
  })
})

describe('the policies of CloudFront, of which an account has twenty of a kind', () => {
  const ids = { links: 'shared-1', playlists: 'shared-2', segments: 'shared-3', files: 'shared-4' }
  const [own, shared] = [real, synthesize(tables, { sharedPolicies: ids })]
  const used = ({ ofType }: Synthesized) =>
    ofType('AWS::CloudFront::Distribution').flatMap(({ properties: { DistributionConfig: config } }) =>
      [config.DefaultCacheBehavior, ...(config.CacheBehaviors ?? [])].map(({ ResponseHeadersPolicyId }) => ResponseHeadersPolicyId),
    )

  test('are the shared ones in the places of those that say the same', () => {
    const places = used(own).map((id) => own.resources.find((resource) => resource.id === pointsAt(id)))
    for (const [at, id] of used(shared).entries()) {
      const name = Object.entries(ids).find(([, each]) => each === id)?.[0]
      if (name) assert.deepEqual(headersOf(places[at]!), sharedHeaders[name as keyof typeof ids].headers, name)
      else assert.deepEqual(id, used(own)[at])
    }
    assert.deepEqual(new Set(used(shared).filter((id) => typeof id === 'string')), new Set(Object.values(ids)))
  })
})
