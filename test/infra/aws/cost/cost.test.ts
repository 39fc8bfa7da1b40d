import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { counted as readCounted } from '../../../../infra/aws/cost/counted.ts'
import { costPage, idleCost } from '../../../../infra/aws/cost/page.ts'
import { beyondAllowances, costOf } from '../../../../infra/aws/cost/prices.ts'
import { standingUsage } from '../../../../infra/aws/cost/standing.ts'
import { ownHosts, synthesize } from '../stack/synthesized.ts'

const { template } = synthesize({ endpoints, events })

/** USD that a stack may cost in a month while nobody uses it, by list prices. Alarms are most of it. */
const MOST_IDLE = 1

describe('what a stack costs', () => {
  test('is stated for everything that a template has', () => {
    const { Resources } = template
    const unknown = { Type: 'AWS::EC2::NatGateway', Properties: {} }
    assert.throws(() => standingUsage({ Resources: { ...Resources, unknown } }, {}), /no price is stated for AWS::EC2::NatGateway/)
  })

  test('while nobody uses it grows by what is added to it, and stays below a limit', () => {
    const counted = readCounted()
    const alone = idleCost(template, counted).listed
    assert.ok(alone < MOST_IDLE, `${alone}`)
    const withDashboard = idleCost(synthesize({ endpoints, events }, { dashboard: true }).template, counted).listed
    assert.ok(Math.abs(withDashboard - alone - 3) < 1e-9)
  })

  test('is the same under host names in a hosted zone', () => {
    const inZone = synthesize({ endpoints, events }, { ...ownHosts, certificateArn: '', hostedZoneId: 'Z0123456789ABCDEFGHIJ' })
    assert.equal(idleCost(inZone.template, readCounted()).listed, idleCost(template, readCounted()).listed)
  })

  test('counts the metrics of alarms, of which an account has ten free', () => {
    const alarm = (Properties: unknown) => ({ Type: 'AWS::CloudWatch::Alarm', Properties })
    const named = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`Named${n}`, alarm({ MetricName: 'Errors' })]))
    const summed = alarm({ Metrics: [{ Expression: 'a + b' }, { MetricStat: {} }, { MetricStat: {} }] })
    const queried = alarm({ Metrics: [{ Expression: 'SELECT SUM(Errors) FROM SCHEMA("AWS/Lambda", FunctionName)' }] })
    const [alarms] = standingUsage({ Resources: { ...named, summed, queried } }, {})
    assert.deepEqual(alarms, { what: '11 alarms', usage: { alarmMetrics: 11, queriedMetrics: 1 } })
    assert.ok(Math.abs(costOf(alarms.usage) - 1.2) < 1e-9)
    assert.ok(Math.abs(costOf(beyondAllowances(alarms.usage)) - 0.2) < 1e-9)
  })

  test('is on the page of the guides', async () => {
    await expect(costPage(template, readCounted())).toMatchFileSnapshot('../../../../infra/guides/cost-tables.md')
  })
})
