import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { endpointFunctions } from '../../../infra/bundling/endpoint-functions.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, listOf, pointsAt, type Synthesized, synthesize, synthesizeAnew } from './synthesized.ts'
import { MOST_RESOURCES } from './template-checks.ts'

const tables = { endpoints, events }
const real = synthesize(tables)
const sample = synthesize(sampleTables)

describe('the stack', () => {
  test('stays below the resources that CloudFormation takes, with room', () => {
    assert.ok(real.resources.length < MOST_RESOURCES, `${real.resources.length} resources`)
  })

  test('is the same each time it is synthesized', () => {
    assert.deepEqual(synthesizeAnew(tables).template, real.template)
  })

  test('tells its addresses, and what the operator works on', () => {
    assert.deepEqual(Object.keys(real.template.Outputs).sort(), [
      'ApiSecretsKeyArn',
      'BaseUrl',
      'Brand',
      'CdnUrl',
      'DeliveryUrl',
      'FilesStay',
      'MailConfigurationSet',
      'MailSender',
      'MediaBucket',
      'PlayerUrl',
      'PublicBucket',
      'TableName',
      'UploadsBucket',
      'Vendor',
    ])
  })

  test('has a function for every endpoint, or several that say so, and every event function, named by its key', () => {
    const names = real.ofType('AWS::Lambda::Function').map(({ properties }) => properties.FunctionName)
    const expected = [
      ...endpointFunctions(endpoints).map(({ name }) => name),
      ...Object.keys(events),
      'api-document',
      'fallback',
      'make-secrets',
      'prepare-buckets',
      'renew-snapshots',
    ]
    assert.deepEqual(names.sort(), expected.map((key) => `media-library-${key}`).sort())
  })

  test('every function runs Node 24 on arm64 and logs to a group that forgets: the API has one, each other function its own', () => {
    const groups = new Map(real.ofType('AWS::Logs::LogGroup').map(({ id, properties }) => [id, properties]))
    const others: string[] = []
    for (const { id, properties } of real.ofType('AWS::Lambda::Function')) {
      assert.equal(properties.Runtime, 'nodejs24.x', id)
      assert.deepEqual(properties.Architectures, ['arm64'], id)
      const group = pointsAt(properties.LoggingConfig?.LogGroup)!
      assert.equal(groups.get(group)?.RetentionInDays, 30, id)
      if (id.startsWith('Api')) assert.match(group, /^ApiLogs/)
      else others.push(group)
    }
    assert.equal(new Set(others).size, others.length)
    assert.equal(groups.size, others.length + 1)
  })

  test('no endpoint computes on after the gateway gave up', () => {
    for (const { id, properties } of real.ofType('AWS::Lambda::Function').filter(({ id }) => id.startsWith('Api'))) {
      assert.ok(properties.Timeout <= 29, id)
    }
    const slow = { ...sampleTables.endpoints.ping!, timeoutSeconds: 30 }
    assert.throws(() => synthesize({ ...sampleTables, endpoints: { slow } }), /slow: a time-out of 30 s is above the gateway's 29 s/)
  })

  test('a function has the space for temporary files that it declares', () => {
    const space = (key: string) =>
      real.ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName === `media-library-${key}`)?.properties
        .EphemeralStorage?.Size
    for (const key of ['search-media', 'search-stock', 'get-search-layout', 'list-folders']) assert.equal(space(key), 10_240)
    assert.equal(space('get-folder'), undefined)
  })

  test('no environment variable holds a secret', () => {
    for (const { properties } of real.ofType('AWS::Lambda::Function')) {
      assert.ok(!JSON.stringify(properties.Environment ?? {}).includes('resolve:'))
    }
  })
})

describe('custom resources', () => {
  test('those that everything waits for answer within five minutes', () => {
    assert.equal(real.ofType('Custom::Secrets')[0]!.properties.ServiceTimeout, '300')
  })

  test('a deployment has the secrets looked at again, and nothing else differs', () => {
    const template = (deployment: string) => {
      const stack = synthesize(sampleTables, { deployment })
      const { Deployment, ...others } = stack.ofType('Custom::Secrets')[0]!.properties
      assert.equal(Deployment, deployment)
      return stack.resources.map((resource) => (resource.type === 'Custom::Secrets' ? { ...resource, properties: others } : resource))
    }
    assert.deepEqual(template('first'), template('second'))
    assert.equal(sample.ofType('Custom::Secrets')[0]!.properties.Deployment, undefined)
  })

  test('nothing that writes by itself is left when buckets are emptied', () => {
    for (const stack of [real, sample]) {
      const [prepared] = stack.ofType('Custom::Buckets')
      const types = ['AWS::Lambda::EventSourceMapping', 'AWS::Scheduler::Schedule', 'AWS::MediaConvert::Queue']
      const sources = types.flatMap((type) => stack.ofType(type))
      assert.ok(sources.length > 3)
      for (const { id } of sources) assert.ok(listOf(stack.template.Resources[id].DependsOn).includes(prepared!.id), id)
    }
  })

  test('what closed a bucket goes with the bucket, not before it', () => {
    for (const retain of [false, true]) {
      const stack = synthesize(sampleTables, { retain: String(retain) })
      for (const { id, properties, deletionPolicy } of stack.ofType('AWS::S3::BucketPolicy')) {
        const bucket = stack.resources.find((each) => each.id === pointsAt(properties.Bucket))!
        assert.equal(deletionPolicy === 'Retain', bucket.deletionPolicy !== 'Retain', id)
      }
    }
  })
})

describe('settings of a deployment', () => {
  test('the brand, and when previews of videos are made, reach functions, and the brand the answers that the gateway makes itself', () => {
    const branded = synthesize(sampleTables, { brand: 'CBX', vendor: 'acme', videoPreviews: 'on-demand' })
    const [api] = branded.ofType('AWS::ApiGateway::RestApi')
    assert.ok(JSON.stringify(api!.properties.Body).includes('gatewayresponse.header.X-Cbx-Request-Id'))
    for (const { id, properties } of branded.ofType('AWS::Lambda::Function').filter(({ properties }) => properties.Environment)) {
      const settings = asText(properties.Environment.Variables.SETTINGS)
      assert.match(settings, /"brand":"CBX","vendor":"acme"/, id)
      assert.match(settings, /"videoPreviews":"on-demand"/, id)
    }
    assert.ok(!JSON.stringify(branded.template).includes('X-Svc'))
  })

  test('the vendor stands in the routes that name it', () => {
    const stack = synthesize(sampleTables, { vendor: 'acme' })
    const [api] = stack.ofType('AWS::ApiGateway::RestApi')
    assert.ok(api!.properties.Body.paths['/search/acme/thing'].get)
    const fn = stack.ofType('AWS::Lambda::Function').find(({ properties }) => asText(properties.FunctionName).endsWith('search-things'))
    assert.equal(fn!.properties.Description, 'GET /search/acme/thing: Search things')
    assert.ok(!JSON.stringify(stack.template).includes('<vendor>'))
  })

  test('two stacks in one account share no name', () => {
    const named = (stack: Synthesized) =>
      stack.resources
        .flatMap(({ properties }) => [properties.FunctionName, properties.DashboardName])
        .filter((name) => name !== undefined && pointsAt(name) === undefined)
        .map(asText)
    const other = named(synthesize(sampleTables, { stackName: 'second', dashboard: true }))
    assert.deepEqual(
      named(synthesize(sampleTables, { dashboard: true })).filter((name) => other.includes(name)),
      [],
    )
  })

  test('a template whose packages lack something is refused by CloudFormation', () => {
    const { Rules } = synthesize(sampleTables, {}, 'no arm64 tools').template
    const [assertion] = Rules.CompletePackages.Assertions
    assert.deepEqual(assertion.Assert, { 'Fn::Equals': ['complete', 'incomplete'] })
    assert.equal(assertion.AssertDescription, 'no arm64 tools')
    assert.equal(sample.template.Rules.CompletePackages, undefined)
  })
})
