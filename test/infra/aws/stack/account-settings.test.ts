import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { readSettings } from '../../../../infra/aws/stack/settings.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, readTemplate, synthesize, withStack } from './synthesized.ts'

const read = (context: Record<string, unknown>) => readSettings((key) => context[key])

describe('what an account asks of its stacks', () => {
  test('tags go to CloudFormation with the stack, which puts them on all that it makes: the resources stay', () => {
    const context = { tags: 'cost-center=1234, team=media more' }
    withStack({ tables: sampleTables, context }, (stack) => {
      assert.deepEqual(stack.tags.tagValues(), { 'cost-center': '1234', team: 'media more' })
    })
    assert.deepEqual(synthesize(sampleTables, context).template.Resources, synthesize(sampleTables).template.Resources)
    assert.deepEqual(read({ tags: 'formula=a=b,empty=' }).tags, { formula: 'a=b', empty: '' })
  })

  test.each([
    'team',
    '=media',
    'aws:team=media',
    'AWS:team=media',
    'team=a,team=b',
    'team=m!',
    `${'k'.repeat(129)}=v`,
    `k=${'v'.repeat(257)}`,
  ])('the tag %s is refused in a sentence', (tags) => assert.throws(() => read({ tags }), /tags: up to 50 pairs key=value/))

  test('of tags there are at most fifty', () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=v`).join()
    assert.equal(Object.keys(read({ tags: pairs(50) }).tags!).length, 50)
    assert.throws(() => read({ tags: pairs(51) }), /tags: up to 50/)
  })

  test('every role has the permissions boundary, by name or by ARN', () => {
    const bounded = (permissionsBoundary: string) =>
      synthesize({ endpoints, events }, { permissionsBoundary })
        .ofType('AWS::IAM::Role')
        .map(({ properties }) => asText(properties.PermissionsBoundary))
    const byName = 'arn:<AWS::Partition>:iam::<AWS::AccountId>:policy/bound'
    assert.deepEqual([...new Set(bounded('bound'))], [byName])
    const arn = 'arn:aws:iam::123456789012:policy/platform/bound'
    assert.deepEqual([...new Set(bounded(arn))], [arn])
    assert.throws(() => read({ permissionsBoundary: 'arn:aws:iam::123456789012:role/bound' }), /permissionsBoundary: the name of a policy/)
  })

  test('assets go where the bootstrap of the qualifier has its bucket', () => {
    withStack({ tables: sampleTables, context: { qualifier: 'media1' } }, ({ synthesizer }) =>
      assert.equal(synthesizer.bootstrapQualifier, 'media1'),
    )
    for (const qualifier of ['Media', 'elevenchars', 'a-b']) assert.throws(() => read({ qualifier }), /qualifier: up to 10 lower-case/)
  })

  test('a stack that retains its data is protected from deletion, once it is made', () => {
    const isProtected = (context: object) =>
      withStack({ tables: sampleTables, context: { ...context } }, (stack) => stack.terminationProtection)
    assert.deepEqual([isProtected({ retain: true }), isProtected({ retain: true, isNew: true }), isProtected({})], [true, false, false])
  })
})

test('the class of originals reaches functions, where it is not the standard', () => {
  const settingsOf = (context: object) => {
    const [fn] = readTemplate(synthesize(sampleTables, { ...context }).template)
      .ofType('AWS::Lambda::Function')
      .filter(({ properties }) => properties.Environment?.Variables.SETTINGS)
    return asText(fn!.properties.Environment.Variables.SETTINGS)
  }
  assert.match(settingsOf({ storageClass: 'INTELLIGENT_TIERING' }), /"storageClass":"INTELLIGENT_TIERING"/)
  assert.doesNotMatch(settingsOf({}), /storageClass/)
  assert.throws(() => read({ storageClass: 'GLACIER' }), /storageClass: /)
})
