import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, test } from 'vitest'
import type { Json } from '../infra/stack/synthesized.ts'
import { deploy } from './deployment.ts'
import { type Placed, statementsIn } from './statements.ts'
import { Trial } from './verdict.ts'
import { walkThrough } from './walk-through.ts'

const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = process.env
assert.ok(endpoint && region, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

/** Longest step, in milliseconds: the walk takes four minutes by itself, and several times as long on a machine that does more. */
const LONGEST = 3_600_000

/** Every call of the product's bundles, walked through the whole service, against the policies of the synthesized template. */
describe('permissions', { timeout: LONGEST }, () => {
  let calls: number
  let trial: Trial
  let statements: readonly Placed[]
  let unknown: readonly string[]
  let secrets: readonly string[]
  let logged: string
  beforeAll(async () => {
    const place = { region, accountId: '000000000000', stackName: `replay-${randomUUID().slice(0, 8)}` }
    const deployment = await deploy(endpoint, place)
    try {
      const { demo } = (await walkThrough(deployment)).service
      secrets = [demo.password, demo.api_secret, ...deployment.recorder.secrets]
      logged = deployment.functions.logged()
      calls = deployment.recorder.calls.length
      trial = new Trial(deployment.resources, { calls: deployment.recorder.calls, place })
      statements = statementsIn(deployment.resources)
      unknown = deployment.recorder.unknown
    } finally {
      await deployment.close()
    }
  }, LONGEST)

  test('every kind of call is known to the judge', () => {
    assert.deepEqual(unknown, [])
    assert.ok(calls > 500, `${calls} calls`)
  })

  test('what functions and services do is allowed, what must not be is denied, and what is granted is needed', () => {
    assert.deepEqual(trial.problems(), [])
  })

  test('no password, key, token or other secret is logged', () => {
    assert.match(logged, /"route":"GET \/search"/)
    assert.ok(secrets.length > 4, `${secrets.length} secrets`)
    for (const secret of secrets) assert.ok(!logged.includes(secret))
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
