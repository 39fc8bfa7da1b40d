import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { adoptedSettings } from './adopted-settings.ts'
import { asText, type Json, listOf, pointsAt, synthesize } from './synthesized.ts'
import { templateProblems } from './template-checks.ts'

describe('a stack that adopts what is there', () => {
  const stack = synthesize({ endpoints, events }, adoptedSettings)
  const ids = (type: string) => stack.ofType(type).map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))

  test('makes only what was not kept', () => {
    assert.deepEqual(ids('AWS::DynamoDB::Table'), [])
    assert.deepEqual(ids('AWS::S3::Bucket'), ['StorageUploads'])
    assert.deepEqual(ids('AWS::SecretsManager::Secret'), ['SecretsUrlSigningKey', 'SecretsOriginKey'])
    const { adoptTable: _, ...named } = adoptedSettings
    const outputs = ['MediaBucket', 'PublicBucket', 'ApiSecretsKeyArn'].map((name) => stack.template.Outputs[name].Value)
    assert.deepEqual(outputs, Object.values(named))
    // What services do with each other is judged by the resources of a template, which an adopted bucket is not.
    const problems = templateProblems(stack.template, { retain: false }).filter((problem) => !problem.startsWith('services: '))
    assert.deepEqual(problems, [])
  })

  test('never empties the buckets, and says that files stay', () => {
    const [prepared] = stack.ofType('Custom::Buckets')
    assert.deepEqual(prepared!.properties.Emptied.map(pointsAt), [stack.ofType('AWS::S3::Bucket')[0]!.id])
    assert.equal(stack.template.Outputs.FilesStay.Value, 'true')
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

  test('prepares the table before anything names it, and follows its stream', () => {
    const [table] = stack.ofType('Custom::AdoptedTable')
    assert.equal(table!.properties.Name, adoptedSettings.adoptTable)
    const sources = stack.ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => asText(properties.EventSourceArn))
    assert.ok(sources.includes(`<${table!.id}.StreamArn>`))
    const functions = stack.ofType('AWS::Lambda::Function').map(({ properties }) => properties.Environment?.Variables ?? {})
    const names = functions.flatMap(({ TABLE_NAME }) => (TABLE_NAME === undefined ? [] : asText(TABLE_NAME)))
    assert.deepEqual([...new Set(names)], [`<${table!.id}.Name>`])
    const [role] = stack.ofType('AWS::IAM::Role').filter(({ id }) => id.startsWith('StorageAdoptedadopttable'))
    const statements = listOf(role!.properties.Policies[0].PolicyDocument.Statement)
    const rights = statements.filter(({ Action }: Json) => listOf(Action).some((action) => action.startsWith('dynamodb:')))
    assert.deepEqual(
      rights.map(({ Resource }: Json) => asText(Resource).replace(/^.*:/, '')),
      [`table/${adoptedSettings.adoptTable}`],
    )
  })
})
