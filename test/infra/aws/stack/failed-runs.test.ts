import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { FAILED_JOBS } from '../../../../shared/library/jobs/operator.ts'
import { FAILING_WEBHOOKS } from '../../../../shared/library/webhooks/health.ts'
import { sampleTables } from './sample-tables.ts'
import { pointsAt, synthesize } from './synthesized.ts'

const real = synthesize({ endpoints, events })
const sample = synthesize(sampleTables)

describe('alarms', () => {
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

  test('what schedules, services and changes fail on waits in the queue that stacks know which exist, with one alarm', () => {
    const letters = real
      .ofType('AWS::Lambda::Function')
      .flatMap(({ properties }) => properties.DeadLetterConfig?.TargetArn ?? [])
      .map(pointsAt)
    const [notice] = real.ofType('AWS::Events::Rule').filter(({ properties }) => properties.EventPattern.source.includes('aws.s3'))
    const [queue, ...others] = new Set([...letters, pointsAt(notice!.properties.Targets[0].Arn)])
    assert.ok(letters.length > real.ofType('AWS::Scheduler::Schedule').length)
    assert.deepEqual([queue, others], ['QueuesfailedrunsB3C6A7D4', []])
    const alarms = real
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ properties }) => properties.Dimensions?.some(({ Value }: { Value: unknown }) => pointsAt(Value) === queue))
    assert.deepEqual(
      alarms.map(({ properties }) => properties.AlarmActions.length),
      [1],
    )
  })

  test('an alarm tells of renders that take five executions for an hour', () => {
    const { properties } = real.ofType('AWS::CloudWatch::Alarm').find(({ id }) => /rendercosts/i.test(id))!
    const { MetricName, Statistic, Period, Threshold, AlarmActions } = properties
    assert.deepEqual([MetricName, Statistic, Period, Threshold, AlarmActions.length], ['Duration', 'Sum', 3_600, 5 * 3_600_000, 1])
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
})
