import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { botocore } from '../../../support/aws/stack-botocore.ts'
import { bounced, complained, rejected } from '../../../support/ses-events.ts'
import { sampleTables } from './sample-tables.ts'
import { pointsAt, synthesize } from './synthesized.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const judge = `
events = session.create_client('events')
answer = [events.test_event_pattern(EventPattern=pattern, Event=json.dumps(event))['Result'] for pattern, event in asked]`

const rules = synthesize(sampleTables).ofType('AWS::Events::Rule')

/** The pattern of a rule, as EventBridge has it. @param named what its references resolve to */
function patternOf(construct: string, named: string): string {
  const rule = rules.find(({ id }) => id.startsWith(construct))
  return JSON.stringify(rule!.properties.EventPattern, (_, value) => (pointsAt(value) ? named : value))
}

/** Whether EventBridge passes each event on. */
async function taken(pattern: string, events: readonly unknown[]): Promise<unknown> {
  return botocore(
    judge,
    events.map((event) => [pattern, event]),
    process.env,
  )
}

describe('the rule for what SES tells of e-mails', () => {
  const matches = (...events: unknown[]) => taken(patternOf('MailEvents', 'library'), events)

  test('takes bounces, complaints and refusals of the own configuration set', async () => {
    assert.deepEqual(await matches(bounced, complained, rejected), [true, true, true])
  })

  test('takes nothing of other configuration sets, other sources, or without one', async () => {
    const { tags: _, ...untagged } = bounced.detail.mail
    const tagged = (set: string) => ({
      ...bounced,
      detail: { ...bounced.detail, mail: { ...untagged, tags: { 'ses:configuration-set': [set] } } },
    })
    const without = { ...bounced, detail: { ...bounced.detail, mail: untagged } }
    assert.deepEqual(await matches(tagged('library-2'), { ...bounced, source: 'example' }, without), [false, false, false])
  })
})

describe('the rule for what MediaConvert tells of jobs', () => {
  const queue = 'arn:aws:mediaconvert:eu-west-1:123456789012:queues/library'
  const matches = (...events: unknown[]) => taken(patternOf('Transcoding', queue), events)

  /** As the MediaConvert User Guide shows it, "Events with CANCELED status". */
  const eventOf = (status: string, { queue: of = queue, type = 'MediaConvert Job State Change' } = {}) => ({
    ...{ version: '0', id: '1234abcd-12ab-34cd-56ef-1234567890ab', 'detail-type': type, source: 'aws.mediaconvert' },
    ...{ account: '123456789012', time: '2026-05-17T09:30:00Z', region: 'eu-west-1' },
    resources: ['arn:aws:mediaconvert:eu-west-1:123456789012:jobs/1515368087458-qnoxtd'],
    detail: { timestamp: 1_515_368_120_764, accountId: '123456789012', queue: of, jobId: '1515368087458-qnoxtd', status },
  })

  test('takes those that ended, in whatever way', async () => {
    assert.deepEqual(await matches(...['COMPLETE', 'ERROR', 'CANCELED'].map((status) => eventOf(status))), [true, true, true])
  })

  test('takes nothing of jobs that run, of other queues and of other changes', async () => {
    const others = [
      eventOf('PROGRESSING'),
      eventOf('STATUS_UPDATE'),
      eventOf('COMPLETE', { queue: `${queue}-2` }),
      eventOf('COMPLETE', { type: 'MediaConvert Queue Change' }),
    ]
    assert.deepEqual(await matches(...others), [false, false, false, false])
  })
})
