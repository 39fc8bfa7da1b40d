import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, test } from 'vitest'
import type { Json } from '../infra/stack/synthesized.ts'
import type { DeployedResource } from './deployed-template.ts'
import { deploy } from './deployment.ts'
import { type Placed, statementsIn } from './statements.ts'
import { isUnwalked } from './unwalked.ts'
import { judge } from './verdict.ts'
import { walkThrough } from './walk-through.ts'

const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = process.env
assert.ok(endpoint && region, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

/** Milliseconds. */
const LONGEST = 1_200_000

/** Every call of the product's bundles, walked through the whole service, against the policies of the synthesized template. */
describe('permissions', () => {
  let deployed: readonly DeployedResource[]
  let evidence: Parameters<typeof judge>[1]
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
      deployed = deployment.resources
      evidence = { calls: deployment.recorder.calls, place }
      unknown = deployment.recorder.unknown
    } finally {
      await deployment.close()
    }
    // The whole service is walked through, and judged some thousand times, beside other suites.
  }, LONGEST)

  /** What is wrong after a change to the statement at this place. */
  const problemsAfter = (at: number, change: (statement: Placed) => void): string[] => {
    const copy = structuredClone(deployed) as DeployedResource[]
    change(statementsIn(copy)[at]!)
    return judge(copy, evidence).filter((problem) => !isUnwalked(problem))
  }
  const everyStatement = () => statementsIn([...deployed])

  test('every kind of call is known to the judge', () => {
    assert.deepEqual(unknown, [])
    assert.ok(evidence.calls.length > 500, `${evidence.calls.length} calls`)
  })

  test('what functions and services do is allowed, what must not be is denied, and what is granted is needed', () => {
    assert.deepEqual(
      judge(deployed, evidence).filter((problem) => !isUnwalked(problem)),
      [],
    )
  })

  test('no password, key, token or other secret is logged', () => {
    assert.match(logged, /"route":"GET \/search"/)
    assert.ok(secrets.length > 4, `${secrets.length} secrets`)
    for (const secret of secrets) assert.ok(!logged.includes(secret))
  })

  test('without any one statement something is wrong', () => {
    assert.ok(everyStatement().length > 200, `${everyStatement().length} statements`)
    for (const [at, { where }] of everyStatement().entries()) {
      if (isUnwalked(where)) continue
      assert.notDeepEqual(
        problemsAfter(at, ({ drop }) => drop()),
        [],
        where,
      )
    }
  })

  test('with one action more, all actions or all resources in any one statement something is wrong', { timeout: LONGEST }, () => {
    for (const [at, { where, statement }] of everyStatement().entries()) {
      if (statement.Effect === 'Deny') continue
      const isPermission = statement.FunctionName !== undefined
      const changes: ((changed: Json) => void)[] = isPermission
        ? [(changed) => delete changed.SourceArn, (changed) => (changed.Action = 'lambda:*')]
        : [
            (changed) => (changed.Action = '*'),
            (changed) => (changed.Action = [changed.Action, 'kms:Decrypt'].flat()),
            ...(statement.Resource && statement.Resource !== '*' ? [(changed: Json) => (changed.Resource = '*')] : []),
          ]
      for (const change of changes) {
        const found = problemsAfter(at, ({ statement: changed }) => change(changed))
        assert.notDeepEqual(found, [], `${where} after ${change}`)
      }
    }
  })
})
