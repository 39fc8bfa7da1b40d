import { randomUUID } from 'node:crypto'
import type { Job } from './mediaconvert.ts'
import { botocore } from './stack-botocore.ts'

export type JobEvent = ReturnType<typeof eventOf>

/** What MediaConvert tells of a job after its state has changed, as its User Guide shows it: "Using EventBridge with AWS Elemental MediaConvert". */
export function eventOf({ id, arn, queue, status, userMetadata, errorCode, errorMessage = '' }: Job) {
  const [region = '', account = ''] = arn.split(':').slice(3)
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'MediaConvert Job State Change',
    source: 'aws.mediaconvert',
    account,
    time: new Date().toISOString(),
    region,
    resources: [arn],
    detail: {
      timestamp: Date.now(),
      accountId: account,
      queue,
      jobId: id,
      status,
      userMetadata,
      ...(errorCode === undefined ? {} : { errorCode, errorMessage }),
    },
  }
}

/** The emulator takes no event from others that names a service as its source, so this does what the bus does: asks each rule, and starts its functions. */
const pass = `
events, functions = session.create_client('events'), session.create_client('lambda')
answer = []
for rule in (rule for page in events.get_paginator('list_rules').paginate() for rule in page['Rules']):
    if not rule.get('EventPattern') or not events.test_event_pattern(EventPattern=rule['EventPattern'], Event=json.dumps(asked))['Result']: continue
    for target in events.list_targets_by_rule(Rule=rule['Name'])['Targets']:
        functions.invoke(FunctionName=target['Arn'], InvocationType='Event', Payload=json.dumps(asked))
        answer.append(target['Arn'])`

/** Puts an event on the default bus of the emulated account. @returns the functions that its rules started */
export async function putOnBus(event: JobEvent, environment: NodeJS.ProcessEnv): Promise<string[]> {
  return (await botocore(pass, event, environment)) as string[]
}
