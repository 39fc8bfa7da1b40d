import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { grants } from '../../../../infra/aws/grants.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, type Json, keyOf, listOf, pointsAt, synthesize } from './synthesized.ts'

const synthesized = synthesize(sampleTables)
const roles = synthesized.ofType('AWS::IAM::Role')

function roleOf(functionName: string) {
  const fn = synthesized.ofType('AWS::Lambda::Function').find((each) => keyOf(each) === functionName)!
  return roles.find(({ id }) => id === pointsAt(fn.properties.Role))!
}

/** `action on resource` of everything that a function may do. */
function rights(functionName: string): string[] {
  const statements = roleOf(functionName).properties.Policies[0].PolicyDocument.Statement as Json[]
  return statements.flatMap(({ Action, Resource }) =>
    listOf(Action).flatMap((action) => listOf(Resource).map((resource) => `${action} on ${asText(resource)}`)),
  )
}

describe('policies', () => {
  test('every function has a role of its own', () => {
    const used = synthesized.ofType('AWS::Lambda::Function').map(({ properties }) => pointsAt(properties.Role))
    assert.equal(new Set(used).size, used.length)
  })

  test('only a service may take a role, and only distributions and rules have permissions at functions', () => {
    for (const { id, properties } of roles) {
      for (const { Principal } of properties.AssumeRolePolicyDocument.Statement) assert.deepEqual(Object.keys(Principal), ['Service'], id)
    }
    for (const { id, properties } of synthesized.ofType('AWS::Lambda::Permission')) {
      assert.match(properties.Principal, /^(cloudfront|events)\.amazonaws\.com$/, id)
      assert.ok(properties.SourceArn, id)
    }
  })

  test('a function that uses nothing may write its own log and no more', () => {
    assert.deepEqual(
      rights('ping').map((right) => right.replace(/<.*>/, '<log>')),
      ['logs:CreateLogStream on <log>', 'logs:PutLogEvents on <log>'],
    )
  })

  test('a reader of the table writes nothing but the use of sessions and tokens, and who was seen, and asks for snapshots of indexes if it searches', () => {
    const writes = (roleOf('get-thing').properties.Policies[0].PolicyDocument.Statement as Json[]).filter(({ Action }) =>
      listOf(Action).some((action) => /^dynamodb:(?!(GetItem|BatchGetItem|Query)$)/.test(action)),
    )
    assert.deepEqual(
      writes.map(({ Action }) => Action),
      ['dynamodb:UpdateItem', 'dynamodb:UpdateItem'],
    )
    assert.deepEqual(
      new Set(writes.map(({ Condition }) => Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'].join())),
      new Set(['SESSION#*,TOKEN#*,SEEN#*', 'JOB#snapshot-index.*']),
    )
  })

  test('an endpoint that only users call has no key to API secrets', () => {
    const secrets = rights('get-thing').filter((right) => /^(ssm|secretsmanager):/.test(right))
    assert.equal(secrets.length, 1)
    assert.match(secrets[0]!, /^ssm:GetParameter on <SecretsValues\w+\.UrlSigningKeyArn>$/)
    assert.ok(rights('post-thing').some((right) => /^ssm:GetParameter on <SecretsValues\w+\.ApiSecretsKeyArn>$/.test(right)))
  })

  test('a function that makes upload forms can write to the uploads bucket, and read neither it nor the media', () => {
    const onBuckets = rights('post-thing').filter((right) => right.startsWith('s3:'))
    assert.equal(onBuckets.length, 1)
    assert.match(onBuckets[0]!, /^s3:PutObject on <StorageUploads\w+\.Arn>\/\*$/)
  })

  test('who uses the stock library knows the provider that the operator names, and may read its key; nobody else does', () => {
    const context = { stockProviderUrl: 'https://stock.example.com', stockProviderHosts: 'cdn.example.com,files.example.com' }
    const stockProviderKeyArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:stock-AbCdEf'
    const users = Object.entries(endpoints).flatMap(([name, { uses }]) => ('stock' in uses ? [name] : []))
    assert.ok(users.length > 3)
    const knowing = (given: Record<string, unknown>) => {
      const { ofType } = synthesize({ endpoints, events }, given)
      const functions = ofType('AWS::Lambda::Function').filter(({ properties }) =>
        Object.keys(properties.Environment?.Variables ?? {}).some((name) => name.startsWith('STOCK_PROVIDER')),
      )
      const readers = ofType('AWS::IAM::Role').filter(({ properties }) => JSON.stringify(properties).includes(stockProviderKeyArn))
      return { names: functions.map(keyOf).sort(), readers: readers.length }
    }
    assert.deepEqual(knowing({}), { names: [], readers: 0 })
    assert.deepEqual(knowing(context), { names: users.sort(), readers: 0 })
    assert.deepEqual(knowing({ ...context, stockProviderKeyArn }), { names: users.sort(), readers: users.length })
  })

  test('networks that are refused are told to the functions that send requests where others name the host, and to no other', () => {
    const told = (given: Record<string, unknown>) =>
      synthesize({ endpoints, events }, given)
        .ofType('AWS::Lambda::Function')
        .flatMap((made) => (made.properties.Environment?.Variables?.OUTSIDE_REFUSE ? [keyOf(made)] : []))
    const declared = Object.entries<Endpoint>(endpoints).filter(([, { uses }]) => 'webhookTargets' in uses || 'openId' in uses)
    const senders = new Set(declared.map(([name, { answeredBy }]) => answeredBy ?? name))
    assert.ok(senders.size > 3)
    assert.deepEqual(told({}), [])
    assert.deepEqual(told({ outsideRefuse: '192.0.2.0/24' }).sort(), [...senders, 'webhook-jobs'].sort())
  })

  test('every grant gives the environment variables that its adapter reads', () => {
    for (const [name, accesses] of Object.entries(grants)) {
      for (const [access, grant] of Object.entries(accesses)) {
        const given = Object.keys(grant.environment(anyTargets))
        const read = [...grant.adapter.make.matchAll(/process\.env\.(\w+)/g)]
          .map((match) => match[1]!)
          .filter((each) => !each.startsWith('AWS_'))
        assert.deepEqual(given.sort(), read.sort(), `${name}: ${access}`)
      }
    }
  })
})

/** Targets whose every property is some text. */
const anyTargets: Json = new Proxy({}, { get: () => new Proxy({}, { get: () => 'text' }) })
