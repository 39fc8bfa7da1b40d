import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { botocore } from '../../support/aws/stack-botocore.ts'
import { bounced, complained, rejected } from '../../support/ses-events.ts'
import { sampleTables } from './sample-tables.ts'
import { synthesize } from './synthesized.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const judge = `
events = session.create_client('events')
answer = [events.test_event_pattern(EventPattern=pattern, Event=json.dumps(event))['Result'] for pattern, event in asked]`

/** The pattern of the rule, as EventBridge has it where the configuration set is called so. */
function patternOf(configurationSet: string): string {
  const [rule] = synthesize(sampleTables).ofType('AWS::Events::Rule')
  return JSON.stringify(rule!.properties.EventPattern, (_, value) => (value?.Ref ? configurationSet : value))
}

describe('the rule for what SES tells of e-mails', () => {
  const matches = async (...events: unknown[]) => {
    const pattern = patternOf('library')
    return botocore(
      judge,
      events.map((event) => [pattern, event]),
      process.env,
    )
  }

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
