import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { FAILED_JOBS } from '../../../shared/library/jobs/operator.ts'
import { FAILING_WEBHOOKS } from '../../../shared/library/webhooks/failing.ts'
import { sampleTables } from './sample-tables.ts'
import { type Json, listOf, pointsAt, type Synthesized, synthesize } from './synthesized.ts'

const real = synthesize({ endpoints, events })
const sample = synthesize(sampleTables)

describe('queues', () => {
  const deadLetterIds = (stack: Synthesized) =>
    stack
      .ofType('AWS::SQS::Queue')
      .filter(({ id }) => /deadletters|failedruns/i.test(id))
      .map(({ id }) => id)

  test('dead letters wait for 14 days and raise an alarm that reaches the operator', () => {
    for (const stack of [real, sample]) {
      const alarms = stack.ofType('AWS::CloudWatch::Alarm')
      assert.ok(deadLetterIds(stack).length > 0)
      for (const id of deadLetterIds(stack)) {
        assert.equal(stack.resources.find((resource) => resource.id === id)!.properties.MessageRetentionPeriod, 14 * 86_400)
        const alarm = alarms.find(({ properties }) => listOf(properties.Dimensions).some(({ Value }) => Value?.['Fn::GetAtt']?.[0] === id))
        assert.equal(alarm?.properties.Threshold, 1, id)
        assert.equal(alarm?.properties.AlarmActions.length, 1, id)
      }
    }
  })

  test.each([
    ['FailedJobs', FAILED_JOBS],
    ['FailingWebhooks', FAILING_WEBHOOKS],
  ])('%s are counted of the log of who wakes jobs, and raise an alarm that is quiet while there are none', (name, message) => {
    const filter = real.ofType('AWS::Logs::MetricFilter').find(({ properties }) => properties.MetricTransformations[0].MetricName === name)!
    const [{ MetricNamespace, DefaultValue }] = filter.properties.MetricTransformations
    assert.equal(filter.properties.FilterPattern, `{ $.message = "${message}" }`)
    assert.match(pointsAt(filter.properties.LogGroupName)!, /wakejobs/i)
    // A default value would be a value of each log line, which is paid for.
    assert.equal(DefaultValue, undefined)
    const alarm = real.ofType('AWS::CloudWatch::Alarm').find(({ properties }) => properties.MetricName === name)!.properties
    assert.deepEqual(
      [alarm.Namespace, alarm.Statistic, alarm.Threshold, alarm.TreatMissingData, alarm.AlarmActions.length],
      [MetricNamespace, 'Sum', 1, 'notBreaching', 1],
    )
  })

  test('descriptions of alarms name pages and sections of the manual that are there', () => {
    const texts = real.ofType('AWS::CloudWatch::Alarm').map(({ properties }) => String(properties.AlarmDescription))
    const named = texts.flatMap((text) => [...text.matchAll(/"([^"]+)" in (infra\/guides\/[\w-]+\.md)/g)])
    assert.ok(named.length > 0)
    for (const [, section, page] of named) assert.ok(readFileSync(page!, 'utf8').includes(`\n## ${section}\n`), `${section} in ${page}`)
  })

  test('alarms are mailed where the operator says', () => {
    const [subscription] = synthesize(sampleTables, { alarmEmail: 'operator@example.com' }).ofType('AWS::SNS::Subscription')
    assert.equal(subscription?.properties.Endpoint, 'operator@example.com')
    assert.equal(sample.ofType('AWS::SNS::Subscription').length, 0)
  })

  test('many e-mails that fail raise an alarm', () => {
    const { Threshold, Period, MetricName, Dimensions, AlarmActions } = real
      .ofType('AWS::CloudWatch::Alarm')
      .find(({ id }) => id.includes('mailfailures'))!.properties
    assert.deepEqual([Threshold, Period, MetricName, AlarmActions.length], [5, 3600, 'TriggeredRules', 1])
    assert.match(pointsAt(Dimensions.find(({ Name }: Json) => Name === 'RuleName').Value)!, /^MailEvents/)
  })

  test('videos are paid by the minute, from a queue of the stack alone', () => {
    const [jobs] = real.ofType('AWS::MediaConvert::Queue')
    assert.deepEqual([jobs!.properties.PricingPlan, jobs!.properties.Name], ['ON_DEMAND', undefined])
  })
})
