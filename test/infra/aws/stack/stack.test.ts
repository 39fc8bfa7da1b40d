import assert from 'node:assert/strict'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import type { ServiceTables } from '../../../../infra/aws/bundling/entries.ts'
import { shareOf } from '../../../../infra/aws/stack/endpoint-share.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, type Json, listOf, synthesize, synthesizeAnew, withStack } from './synthesized.ts'

const tables = { endpoints, events }
const real = synthesize(tables)
const sample = synthesize(sampleTables)

describe('the stack', () => {
  test('is the same each time it is synthesized', () => {
    assert.deepEqual(synthesizeAnew(tables).template, real.template)
  })

  test('no endpoint computes on after the gateway gave up', () => {
    for (const { id, properties } of real
      .ofType('AWS::Lambda::Function')
      .filter(({ properties }) => /^media-library-\d-/.test(properties.FunctionName))) {
      assert.ok(properties.Timeout <= 29, id)
    }
    const slow = { ...sampleTables.endpoints.ping!, timeoutSeconds: 30 }
    assert.throws(() => synthesize({ ...sampleTables, endpoints: { slow } }), /slow: a time-out of 30 s is above the gateway's 29 s/)
  })
})

describe('an update', () => {
  /** The stack's own template, without what is in nested ones. @param ping code of that function */
  const own = (tables: ServiceTables, ping = '0'): Record<string, Json> =>
    withStack({ tables, code: (key) => Code.fromInline(`export const handler = ${key === 'ping' ? ping : 0}`) }, (stack) =>
      Template.fromStack(stack).toJSON(),
    ).Resources
  const before = own(sampleTables)
  const changed = (after: Record<string, Json>) =>
    Object.keys(after).filter((id) => JSON.stringify(after[id]) !== JSON.stringify(before[id]) && !/^ApiRestApi[0-9A-F]{8}$/.test(id))

  test('of a function behind the gateway changes its nested stack, and nothing else', () => {
    assert.deepEqual(changed(own(sampleTables, '1')), [`Endpoints${shareOf('ping')}`])
  })

  test('with another endpoint deploys the API anew', () => {
    const { ping } = sampleTables.endpoints
    const pong = { ...ping!, route: () => 'GET /pong' as const }
    const [nested, deployment] = changed(own({ ...sampleTables, endpoints: { ...sampleTables.endpoints, pong } }))
    assert.equal(nested, `Endpoints${shareOf('pong')}`)
    assert.match(deployment ?? '', /^ApiRestApiDeployment/)
  })
})

describe('custom resources', () => {
  test('a deployment has the keys looked at again, and nothing else differs', () => {
    const template = (deployment: string) => {
      const { resources } = synthesize(sampleTables, { deployment })
      const looking = resources.filter(({ properties }) => properties.Deployment === deployment).map(({ type }) => type)
      assert.deepEqual(looking, ['Custom::Secrets', 'Custom::OriginKey'])
      return resources.map(({ properties: { Deployment, ...properties }, ...resource }) => ({ ...resource, properties }))
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

  test('a template whose packages lack something is refused by CloudFormation', () => {
    const { Rules } = synthesize(sampleTables, {}, 'no arm64 tools').template
    const [assertion] = Rules.CompletePackages.Assertions
    assert.deepEqual(assertion.Assert, { 'Fn::Equals': ['complete', 'incomplete'] })
    assert.equal(assertion.AssertDescription, 'no arm64 tools')
  })
})
