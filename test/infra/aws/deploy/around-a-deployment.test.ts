import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CloudFormationClient, type StackStatus } from '@aws-sdk/client-cloudformation'
import { SNSClient } from '@aws-sdk/client-sns'
import { ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm'
import { describe, test, vi } from 'vitest'
import { hintsFor } from '../../../../infra/aws/deploy/hints.ts'
import { leftoversOf } from '../../../../infra/aws/deploy/leftovers.ts'
import { adminCommand, nextSteps, unreadAlarms } from '../../../../infra/aws/deploy/next-steps.ts'
import { prepare } from '../../../../infra/aws/deploy/prepare.ts'
import { requireYes } from '../../../../infra/aws/deploy/questions.ts'
import { changedMeanwhile, isNewStack, settledStack } from '../../../../infra/aws/deploy/settled-stack.ts'
import { type Answer, answering } from '../../../support/answering.ts'
import { sampleTables } from '../stack/sample-tables.ts'
import { synthesize } from '../stack/synthesized.ts'

/** A client of AWS that gives these answers, one after the other, the last one again and again. */
function clientOf<Client extends { send: unknown }>(client: Client, ...answers: (object | Error)[]): Client {
  client.send = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) throw answer
    return answer
  }
  return client
}

describe('before a deployment, the stack', () => {
  const absent = Object.assign(new Error('Stack with id library does not exist'), { name: 'ValidationError' })
  const settled = async (...statuses: (StackStatus | Error)[]) => {
    const said: string[] = []
    const answers = statuses.map((status) => (status instanceof Error ? status : { Stacks: [{ StackStatus: status }] }))
    const client = clientOf(new CloudFormationClient(), ...answers)
    const stack = await settledStack('library', { client, say: (line) => said.push(line), pauseMs: 0 })
    return { status: stack?.StackStatus, isNew: isNewStack(stack), said }
  }

  test('is waited for while another deployment runs, and that is said once', async () => {
    const { status, isNew, said } = await settled('UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'UPDATE_COMPLETE')
    assert.deepEqual([status, isNew, said.length], ['UPDATE_COMPLETE', false, 1])
    assert.match(said[0]!, /^Another deployment of the stack library is running, .* \(UPDATE_IN_PROGRESS\): waiting/)
    assert.deepEqual((await settled('DELETE_IN_PROGRESS', absent)).status, undefined)
  })

  test('is made where there is none, or only what a first deployment left that was interrupted or rolled back', async () => {
    for (const status of [absent, 'REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'] as const)
      assert.deepEqual([(await settled(status)).isNew, (await settled(status)).said], [true, []])
    assert.equal((await settled('CREATE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS', 'ROLLBACK_COMPLETE')).isNew, true)
    assert.equal((await settled('UPDATE_ROLLBACK_COMPLETE')).isNew, false)
  })

  test('is not touched where it must be mended first, which is said', async () => {
    await assert.rejects(settled('UPDATE_ROLLBACK_FAILED'), /aws cloudformation continue-update-rollback --stack-name library --region/)
    await assert.rejects(settled('DELETE_FAILED'), /`npm run destroy -- -c stackName=library` again/)
    await assert.rejects(settled(new Error('You may not.')), /^Error: The stack library could not be read: You may not\./)
  })

  test('is left alone where another deployment has begun since it was looked at', async () => {
    const stack = (minute: number) => ({
      ...{ StackName: 'library', StackId: 'arn', StackStatus: 'UPDATE_COMPLETE' as const },
      ...{ CreationTime: new Date(0), LastUpdatedTime: new Date(minute * 60_000) },
    })
    const meanwhile = (now: object | Error) => changedMeanwhile('library', stack(1), clientOf(new CloudFormationClient(), now))
    assert.deepEqual(await meanwhile({ Stacks: [stack(1)] }), [])
    for (const now of [{ Stacks: [stack(2)] }, { Stacks: [{ ...stack(1), StackStatus: 'UPDATE_IN_PROGRESS' }] }, absent])
      assert.match((await meanwhile(now)).join(), /^Another deployment of the stack library has begun meanwhile\./)
    assert.deepEqual(await changedMeanwhile('library', undefined, clientOf(new CloudFormationClient(), absent)), [])
  })

  test('gets a hint where another deployment began at the same moment', () => {
    const messages = [
      'AlreadyExistsException: ChangeSet cdk-deploy-change-set already exists',
      'ChangeSet [arn:aws:cloudformation:eu-west-1:123456789012:changeSet/cdk-deploy-change-set/1] does not exist',
      'ValidationError: Stack:arn:aws:cloudformation:x is in UPDATE_IN_PROGRESS state and can not be updated.',
      'InvalidChangeSetStatusException: ChangeSet [arn] is in EXECUTE_IN_PROGRESS status',
    ]
    for (const message of messages) assert.match(hintsFor(message).join(), /Another deployment of this stack .* again/s, message)
  })

  test('is made or changed when a person says yes, and not otherwise', async () => {
    const answer = (said: string) => requireYes('Go on?', { ask: async () => said })
    for (const yes of ['y', 'YES ', 'Yes']) await answer(yes)
    for (const no of ['', 'n', 'yess']) await assert.rejects(answer(no), /^Error: Nothing was changed\.$/)
  })
})

describe('a deployment without a terminal', () => {
  /** `npm run deploy` until it would begin, in an account with such a stack. @returns what it says, and how it ends */
  async function deploying(stack: string, ...args: string[]) {
    const identity = '<R><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></R>'
    const answer =
      (body: string): Answer =>
      (response) =>
        response.writeHead(body.includes('<Error>') ? 400 : 200).end(body)
    const { endpoint } = await answering(answer(identity), answer(stack))
    const environment = { AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const said: string[] = []
    const spy = vi.spyOn(console, 'error').mockImplementation((line) => void said.push(line))
    const end = await prepare(args).then(
      () => 'begins',
      (error: Error) => error.message,
    )
    vi.unstubAllEnvs()
    spy.mockRestore()
    return { said: said.join('\n'), end }
  }

  const place = 'in account 123456789012, region eu-west-1: takes about'
  const output = (key: string, value: string) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`
  const member = `<member><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${output('TableName', 'library')}${output('Settings', '{"retain":"true"}')}</Outputs></member>`
  const there = `<R><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></R>`

  test('makes a new stack without a question, and says where and how long it takes', async () => {
    const absent = '<R><Error><Code>ValidationError</Code><Message>Stack with id library does not exist</Message></Error></R>'
    const { said, end } = await deploying(absent, '-c', 'stackName=library')
    assert.deepEqual([said, end], [`A new stack library ${place} a quarter of an hour.`, 'begins'])
  })

  test('goes on with what the stack has, and refuses what the operator must want until they say so', async () => {
    const { said, end } = await deploying(there)
    const first = `An update of the stack media-library ${place} five to ten minutes.`
    assert.deepEqual([said, end], [`${first}\nThe stack goes on with retain=true.`, 'begins'])
    const changing = ['-c', 'retain=false']
    const refused = await deploying(there, ...changing)
    assert.match(refused.said, /\nretain ends: /)
    assert.equal(refused.end, 'Nothing was changed. To have it so: --accept-changes')
    for (const option of ['--accept-changes', '--dry-run']) assert.equal((await deploying(there, ...changing, option)).end, 'begins')
  })
})

test('what ends a deployment ends the CDK first', async () => {
  const endless = `console.log('pid', process.pid); setInterval(() => {}, 1_000)`
  const program = `import { echoed } from './infra/aws/deploy/echoed-command.ts'; await echoed(process.execPath, ['-e', ${JSON.stringify(endless)}])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [told] = await once(child.stdout.setEncoding('utf8'), 'data')
  child.kill('SIGTERM')
  await once(child, 'close')
  assert.throws(() => process.kill(Number(told.replace('pid ', '')), 0), { code: 'ESRCH' })
})

describe('after a deployment', () => {
  const work = { account: '123456789012', region: 'eu-west-1', profile: 'work' }

  test('the operator reads where the console is, and how to make the first company and its admin', () => {
    assert.equal(adminCommand('library', { ...work, profile: undefined }), 'AWS_REGION=eu-west-1 npm run --silent admin -- --stack library')
    const steps = nextSteps('https://api.example.com', adminCommand('library', work), false)
    assert.match(steps, /^The console: https:\/\/api\.example\.com\/console\n/)
    const commands = steps.split('\n').filter((line) => line.startsWith('  '))
    const begin = /^ {2}AWS_REGION=eu-west-1 npm run --silent admin -- --stack library --profile work (company|user) create --/
    assert.deepEqual(
      commands.map((command) => begin.exec(command)?.[1]),
      ['company', 'user'],
    )
    assert.doesNotMatch(nextSteps('https://api.example.com', 'admin', true), /Make a company/)
  })

  test('alarms without a reader are said, and what gives them one', async () => {
    const read = (arns: string[], alarmEmail?: string) =>
      unreadAlarms(
        clientOf(new SNSClient(), { Subscriptions: arns.map((SubscriptionArn) => ({ SubscriptionArn })) }),
        'arn:aws:sns:eu-west-1:123456789012:alarms',
        alarmEmail,
      )
    assert.match((await read([])) ?? '', /Nobody reads the alarms of this stack\. .* -c alarmEmail=/)
    const lost = await read(['PendingConfirmation'], 'a@example.com')
    assert.match(
      lost ?? '',
      /before a@example\.com follows .*\n {2}aws sns subscribe --region eu-west-1 .* --notification-endpoint a@example\.com$/s,
    )
    assert.equal(await read(['PendingConfirmation', 'arn:aws:sns:eu-west-1:123456789012:alarms:1']), undefined)
  })

  test('that was the first and was rolled back, what stays is listed as the next deployment can take it', async () => {
    const of = (type: string, start: string) =>
      synthesize(sampleTables).resources.find((resource) => resource.type === type && resource.id.startsWith(start))!.id
    const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string, ResourceStatus = 'DELETE_SKIPPED') => ({
      ...{ ResourceType, LogicalResourceId, PhysicalResourceId, ResourceStatus },
    })
    const table = resource('AWS::DynamoDB::Table', of('AWS::DynamoDB::Table', 'Storage'), 'library-table')
    const media = resource('AWS::S3::Bucket', of('AWS::S3::Bucket', 'StorageMedia'), 'library-media')
    const policy = resource('AWS::S3::BucketPolicy', of('AWS::S3::BucketPolicy', 'StorageUploads'), 'library-uploads')
    const gone = resource('AWS::S3::Bucket', of('AWS::S3::Bucket', 'StoragePublic'), 'library-public', 'DELETE_COMPLETE')
    const described = { Stacks: [{ StackId: 'arn:aws:cloudformation:eu-west-1:123456789012:stack/library/0f8fad5b' }] }
    const leftovers = async (key: object | Error, ...answers: object[]) =>
      (
        await leftoversOf('library', {
          cloudFormation: clientOf(new CloudFormationClient(), ...answers),
          ssm: clientOf(new SSMClient(), key),
        })
      ).join('\n')
    const said = await leftovers(
      { Parameter: {} },
      { StackResourceSummaries: [table, policy], NextToken: 'more' },
      { StackResourceSummaries: [media, gone] },
      described,
    )
    const keyArn = 'arn:aws:ssm:eu-west-1:123456789012:parameter/media-library/library/0f8fad5b/apiSecretsKey'
    assert.ok(said.includes(`these stay:\n  table library-table\n  bucket library-media\n  parameter ${keyArn}\n`), said)
    const adopting = `-c retain=true -c adoptTable=library-table -c adoptMediaBucket=library-media -c adoptApiSecretsKeyArn=${keyArn}\n`
    assert.ok(said.includes(`  npm run deploy -- -c stackName=library ${adopting}`), said)
    const none = new ParameterNotFound({ message: 'none', $metadata: {} })
    assert.equal(await leftovers(none, { StackResourceSummaries: [gone] }, described), '')
  })
})
