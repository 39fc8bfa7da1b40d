import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { entriesOf } from '../../../../infra/aws/bundling/entries.ts'
import { grantsOf } from '../../../../infra/aws/grants.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { defaultSettings } from '../../../../shared/settings.ts'

const projectRoot = join(import.meta.dirname, '../../../..')
const entries = entriesOf({ endpoints, events }, projectRoot, defaultSettings)
const sourceOf = (name: string) => entries.find((entry) => entry.name === name)!.source

describe('entries of functions', () => {
  test('an entry holds the endpoint and the adapters of what it uses, and nothing else', () => {
    assert.equal(
      sourceOf('get-folder'),
      [
        "import { getFolder as subject } from './functions/folder/get-folder.ts'",
        "import { endpointHandler } from './shared/http/kernel/lambda.ts'",
        "import { dynamoTable } from './shared/backends/table/dynamodb.ts'",
        'const table = dynamoTable({ tableName: process.env.TABLE_NAME })',
        'const sessions = table',
        'export const handler = endpointHandler(subject, { table, sessions })',
        '',
      ].join('\n'),
    )
  })

  test('an entry of a group of jobs holds all its kinds, and each adapter once', () => {
    const lines = sourceOf('webhook-jobs').split('\n')
    for (const line of [
      "import { deliverEvents } from './functions/jobs/deliver-events.ts'",
      "import { deliverSlowly } from './functions/jobs/deliver-slowly.ts'",
      'const table = dynamoTable({ tableName: process.env.TABLE_NAME })',
      "const kinds = { 'deliver-events': deliverEvents, 'deliver-slowly': deliverSlowly }",
      "export const handler = jobHandler('webhook-jobs', kinds, { table, apiSecretsKey, webhookTargets }, running)",
    ])
      assert.equal(lines.filter((each) => each === line).length, 1, line)
  })

  test('a function that would need two adapters of one resource is refused', () => {
    const { 'finalize-held-files': held, 'compare-upload': compare } = events
    const reading = { ...held, uses: { publicFiles: 'read' as const } }
    const storing = { ...compare, uses: { publicFiles: 'store' as const }, trigger: { ...compare.trigger, group: held.trigger.group } }
    const two = { 'finalize-held-files': reading, 'compare-upload': storing }
    assert.throws(() => entriesOf({ endpoints: {}, events: two }, projectRoot, defaultSettings), /two adapters of "publicFiles"/)
  })

  test('what a function writes to through one grant and reads through another it may write', () => {
    const [table] = grantsOf({ search: 'read', table: 'write' })
    assert.equal(table!.name, 'table')
    assert.equal(table!.grant, grantsOf({ table: 'write' })[0]!.grant)
  })

  test('what makes certificates is there where the stack has one made', () => {
    const made = (settings: object) =>
      entriesOf({ endpoints, events }, projectRoot, { ...defaultSettings, ...settings }).some(({ name }) => name === 'make-certificate')
    const hostedZoneId = 'Z0123456789ABCDEFGHIJ'
    assert.deepEqual([made({ hostedZoneId }), made({ hostedZoneId, certificateArn: 'arn' }), made({})], [true, false, false])
  })

  test('a key that names no module is refused', () => {
    const unknown = endpoints['get-folder'] as unknown as Endpoint
    assert.throws(
      () => entriesOf({ endpoints: { 'get-nothing': unknown }, events: {} }, projectRoot, defaultSettings),
      /no module functions\/\*\/get-nothing\.ts/,
    )
  })
})
