import assert from 'node:assert/strict'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events, openSearchEvents } from '../../../../functions/events.ts'
import type { ServiceTables } from '../../../../infra/aws/bundling/entries.ts'
import { sampleTables } from './sample-tables.ts'
import { adoptedSettings, openSearchSettings, ownHosts, withStack } from './synthesized.ts'

/** What cdk-nag finds, but for what is accepted beside the code (infra/aws/stack/accepted-findings.ts): `rule: construct`. */
function findings(tables: ServiceTables, context: Record<string, unknown>): string[] {
  return withStack({ tables, context }, (stack) =>
    [new AwsSolutionsChecks(stack), new ServerlessChecks(stack)].flatMap((pack) =>
      pack
        .validateScope(stack)
        .violations.flatMap(({ ruleName, violatingResources }) =>
          violatingResources.map(({ constructPath }) => `${ruleName}: ${constructPath}`),
        ),
    ),
  )
}

describe('rule packs find nothing that is not accepted, with its reason, beside the code', () => {
  test('in a stack that uses everything in every way', () => assert.deepEqual(findings(sampleTables, { dashboard: true }), []))
  test('with the search engine OpenSearch', () => {
    assert.deepEqual(findings({ endpoints, events: openSearchEvents }, openSearchSettings), [])
  })
  test('with data that an earlier stack kept', () => assert.deepEqual(findings({ endpoints, events }, adoptedSettings), []))
  test('with a certificate and records in a hosted zone', () => {
    const { certificateArn: _, ...hosts } = ownHosts
    assert.deepEqual(findings(sampleTables, { ...hosts, hostedZoneId: 'Z0123456789ABCDEFGHIJ' }), [])
  })
  test('in production, under host names of its own', () => {
    assert.deepEqual(findings({ endpoints, events }, { retain: 'true', alarmEmail: 'a@example.com', ...ownHosts }), [])
  })
})
