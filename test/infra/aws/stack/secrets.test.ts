import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { sampleTables } from './sample-tables.ts'
import { adoptedSettings, asText, type Json, listOf, pointsAt, synthesize } from './synthesized.ts'

/** Which keys the function that makes them may read, write and delete, by settings; parameters by the last part of their names. */
function rightsOf(settings: Record<string, unknown>) {
  const { ofType } = synthesize(sampleTables, settings)
  const maker = ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName === 'media-library-make-secrets')!
  const role = ofType('AWS::IAM::Role').find(({ id }) => id === pointsAt(maker.properties.Role))!
  const statements = (role.properties.Policies[0].PolicyDocument.Statement as Json[]).flatMap(({ Action, Resource }) =>
    listOf(Action).flatMap((action) => listOf(Resource).map((resource) => ({ action, resource: asText(resource) }))),
  )
  const on = (wanted: string) => statements.filter(({ action }) => action === wanted).map(({ resource }) => resource)
  const keys = (action: string) =>
    on(action)
      .map((resource) => resource.slice(resource.lastIndexOf('/') + 1))
      .sort()
  const { ApiSecretsKey } = ofType('Custom::Secrets')[0]!.properties
  const [read, write, remove] = ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'].map(keys)
  return { ApiSecretsKey, read, write, remove, resources: on('ssm:GetParameter') }
}

const passing = ['originKey', 'urlPublicKey', 'urlSigningKey']
const all = ['apiSecretsKey', ...passing]

describe('the keys of a stack', () => {
  test('cost nothing, and are below a path of this one stack, so that a later one of its name has others', () => {
    const { resources } = rightsOf({})
    const ofStack = '{"Fn::Select":[2,{"Fn::Split":["/",{"Ref":"AWS::StackId"}]}]}'
    const path = `arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/media-library/media-library/${ofStack}/`
    for (const resource of resources) assert.ok(resource.startsWith(path) && /^\w+$/.test(resource.slice(path.length)), resource)
    assert.deepEqual(synthesize(sampleTables).ofType('AWS::SecretsManager::Secret'), [])
  })

  test('go with the stack; the one to records stays with `retain`, and then nobody may remove it', () => {
    const { resources: _, ...own } = rightsOf({})
    assert.deepEqual(own, { ApiSecretsKey: 'own', read: all, write: all, remove: all })
    const { resources: __, ...kept } = rightsOf({ retain: true })
    assert.deepEqual(kept, { ApiSecretsKey: 'kept', read: all, write: all, remove: passing })
  })

  test('the one to records is that of a destroyed stack where the operator names it: it is read, and no more', () => {
    const { ofType } = synthesize(sampleTables, adoptedSettings)
    assert.equal(ofType('Custom::Secrets')[0]!.properties.ApiSecretsKeyArn, adoptedSettings.adoptApiSecretsKeyArn)
    const { resources, ...adopted } = rightsOf(adoptedSettings)
    assert.ok(resources.includes(adoptedSettings.adoptApiSecretsKeyArn))
    assert.deepEqual(adopted, { ApiSecretsKey: 'adopted', read: all, write: passing, remove: passing })
  })
})
