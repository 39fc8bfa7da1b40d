import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { adoptedSettings, asText, type Json, listOf, pointsAt, synthesize } from './synthesized.ts'
import { templateProblems } from './template-checks.ts'

describe('a stack that adopts what is there', () => {
  const stack = synthesize({ endpoints, events }, adoptedSettings)

  test('has nothing that our checks find', () => {
    // What services do with each other, and patterns of objects, are judged by the resources of a template, which an adopted bucket is not.
    const problems = templateProblems(stack.template, { retain: false }).filter((problem) => !/^(services|wildcards): /.test(problem))
    assert.deepEqual(problems, [])
  })

  test('never empties the buckets', () => {
    const [prepared] = stack.ofType('Custom::Buckets')
    const made = stack.ofType('AWS::S3::Bucket').map(({ id }) => id)
    assert.deepEqual(prepared!.properties.Emptied.map(pointsAt).sort(), made.sort())
  })

  test('gives the buckets policies that go with it: TLS only, and the networks that deliver may read', () => {
    for (const bucket of [adoptedSettings.adoptMediaBucket, adoptedSettings.adoptPublicBucket]) {
      const [policy] = stack.ofType('AWS::S3::BucketPolicy').filter(({ properties }) => properties.Bucket === bucket)
      const statements: Json[] = policy!.properties.PolicyDocument.Statement
      assert.ok(statements.some(({ Effect, Condition }) => Effect === 'Deny' && Condition.Bool['aws:SecureTransport'] === 'false'))
      assert.ok(statements.some(({ Principal, Action }) => Principal.Service === 'cloudfront.amazonaws.com' && Action === 's3:GetObject'))
      assert.notEqual(policy!.deletionPolicy, 'Retain')
    }
  })

  test('changes no table but the one that it adopts', () => {
    const [role] = stack.ofType('AWS::IAM::Role').filter(({ id }) => id.startsWith('StorageAdoptedadopttable'))
    const statements = listOf(role!.properties.Policies[0].PolicyDocument.Statement)
    const rights = statements.filter(({ Action }: Json) => listOf(Action).some((action) => action.startsWith('dynamodb:')))
    assert.deepEqual(
      rights.map(({ Resource }: Json) => asText(Resource).replace(/^.*:/, '')),
      [`table/${adoptedSettings.adoptTable}`],
    )
  })
})
