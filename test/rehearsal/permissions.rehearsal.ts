import assert from 'node:assert/strict'
import { describe, inject, test } from 'vitest'
import type { Json } from '../infra/aws/stack/synthesized.ts'
import { deployedResources } from '../permissions/deployed-template.ts'
import { impliedCalls } from '../permissions/implied-calls.ts'
import { recordedCalls } from '../permissions/recorded-calls.ts'
import { type Placed, statementsIn } from '../permissions/statements.ts'
import { Trial } from '../permissions/verdict.ts'
import { ACCOUNT, REGION } from '../support/aws/stack-stage.ts'
import { deployed, NO_BUCKET, stack } from './changing.ts'

/** All that the functions of the stack have asked AWS for, from its creation to its end, against the policies that it was deployed with. */
describe('permissions', () => {
  const { calls: path, ids, stackId } = inject('rehearsal')!
  const { calls: recorded, unknown } = recordedCalls(path, stack)
  const calls = recorded.filter(({ resource }) => !resource.includes(NO_BUCKET))
  const place = { accountId: ACCOUNT, region: REGION, stackName: stack, stackId }
  const resources = deployedResources(deployed.template(), place, ids)
  const trial = new Trial(resources, { calls: [...calls, ...impliedCalls(calls, resources)], place })
  const statements: readonly Placed[] = statementsIn(resources)

  test('every kind of call is known to the judge', () => {
    assert.deepEqual(unknown, [])
    assert.ok(calls.length > 500, `${calls.length} calls`)
  })

  test('what functions and services do is allowed, what must not be is denied, and what is granted is needed', () => {
    assert.deepEqual(trial.problems(), [])
  })

  test('without any one statement something is wrong', () => {
    assert.ok(statements.length > 200, `${statements.length} statements`)
    for (const { where, resource, dropped } of statements) assert.notDeepEqual(trial.problemsWith(resource, dropped()), [], where)
  })

  test('with one action more, all actions or all resources in any one statement something is wrong', () => {
    for (const { where, resource, statement, changed } of statements) {
      if (statement.Effect === 'Deny') continue
      const isPermission = statement.FunctionName !== undefined
      const changes: ((statement: Json) => void)[] = isPermission
        ? [(it) => delete it.SourceArn, (it) => (it.Action = 'lambda:*')]
        : [
            (it) => (it.Action = '*'),
            (it) => (it.Action = [it.Action, 'kms:Decrypt'].flat()),
            ...(statement.Resource && statement.Resource !== '*' ? [(it: Json) => (it.Resource = '*')] : []),
          ]
      for (const change of changes) {
        assert.notDeepEqual(trial.problemsWith(resource, changed(change)), [], `${where} after ${change}`)
      }
    }
  })
})
