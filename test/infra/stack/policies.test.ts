import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { grants } from '../../../infra/grants.ts'
import { sampleTables } from './sample-tables.ts'
import { asText, type Json, listOf, pointsAt, synthesize } from './synthesized.ts'

const synthesized = synthesize(sampleTables)
const roles = synthesized.ofType('AWS::IAM::Role')

/** Every statement that allows something, in the service as it is and in the sample that uses everything, with where it stands. */
const allowed = [...synthesized.resources, ...synthesize({ endpoints, events }).resources].flatMap(({ id, type, properties }) =>
  [...listOf(properties.Policies).map((policy: Json) => policy.PolicyDocument), ...listOf(properties.PolicyDocument)]
    .flatMap((document: Json) => listOf(document.Statement))
    .filter((statement: Json) => statement.Effect === 'Allow')
    .map((statement: Json) => ({ where: `${type} ${id}`, statement })),
)

const anyIdentity = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*'
const anyJob = 'arn:<AWS::Partition>:mediaconvert:<AWS::Region>:<AWS::AccountId>:jobs/*'

function roleOf(functionName: string) {
  const fn = synthesized
    .ofType('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === `media-library-${functionName}`)!
  return roles.find(({ id }) => id === pointsAt(fn.properties.Role))!
}

/** `action on resource` of everything that a function may do. */
function rights(functionName: string): string[] {
  const statements = roleOf(functionName).properties.Policies[0].PolicyDocument.Statement as Json[]
  return statements.flatMap(({ Action, Resource }) =>
    listOf(Action).flatMap((action) => listOf(Resource).map((resource) => `${action} on ${asText(resource)}`)),
  )
}

describe('policies', () => {
  test('no policy allows an action by wildcard', () => {
    assert.ok(allowed.length > 20)
    for (const { where, statement } of allowed) {
      assert.equal(statement.NotAction, undefined, where)
      for (const action of listOf(statement.Action)) assert.ok(!String(action).includes('*'), `${where}: ${action}`)
    }
  })

  test('no policy allows something on every resource but looking at pictures; a wildcard stands only for the objects of one bucket, for a kind of them, for jobs that are there, and for what SES asks for', () => {
    for (const { where, statement } of allowed) {
      assert.equal(statement.NotResource, undefined, where)
      for (const resource of listOf(statement.Resource).map(asText)) {
        // Rekognition knows no resources for it.
        if (listOf(statement.Action).join() === 'rekognition:DetectLabels' && resource === '*') continue
        assert.match(resource, /^(arn:|<)/, `${where}: ${resource}`)
        if (statement.Condition?.StringEquals?.['ses:FromAddress'] && resource === anyIdentity) continue
        if (listOf(statement.Action).join() === 'mediaconvert:GetJob,mediaconvert:CancelJob' && resource === anyJob) continue
        if (resource.includes('*'))
          assert.match(
            resource,
            /^<Storage(Media|Uploads|Public)\w+\.Arn>\/((profiles\/|search\/|_\/(player|console)\/|\*\/(video|subtitles|renditions)\/|streams\/)?\*|\*\/original)$/,
            `${where}: ${resource}`,
          )
      }
    }
  })

  test('no role has a managed policy, or more policies than the one that its function declared', () => {
    assert.equal(synthesized.ofType('AWS::IAM::Policy').length, 0)
    assert.equal(synthesized.ofType('AWS::IAM::ManagedPolicy').length, 0)
    for (const { id, properties } of roles) {
      assert.equal(properties.ManagedPolicyArns, undefined, id)
      assert.equal(properties.Policies.length, 1, id)
    }
  })

  test('every function has a role of its own', () => {
    const used = synthesized.ofType('AWS::Lambda::Function').map(({ properties }) => pointsAt(properties.Role))
    assert.equal(new Set(used).size, used.length)
  })

  test('only a service may take a role', () => {
    for (const { id, properties } of roles) {
      for (const { Principal } of properties.AssumeRolePolicyDocument.Statement) assert.deepEqual(Object.keys(Principal), ['Service'], id)
    }
  })

  test('a function that uses nothing may write its own log and no more', () => {
    assert.deepEqual(
      rights('ping').map((right) => right.replace(/<.*>/, '<log>')),
      ['logs:CreateLogStream on <log>', 'logs:PutLogEvents on <log>'],
    )
  })

  test('a reader of the table writes nothing but the use of a session, and asks for snapshots of indexes if it searches', () => {
    const writes = (roleOf('get-thing').properties.Policies[0].PolicyDocument.Statement as Json[]).filter(({ Action }) =>
      listOf(Action).some((action) => /^dynamodb:(?!(GetItem|BatchGetItem|Query)$)/.test(action)),
    )
    assert.deepEqual(
      writes.map(({ Action }) => Action),
      ['dynamodb:UpdateItem', 'dynamodb:UpdateItem'],
    )
    assert.deepEqual(
      new Set(writes.map(({ Condition }) => Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'].join())),
      new Set(['SESSION#*', 'JOB#snapshot-index.*']),
    )
  })

  test('an endpoint that only users call has no key to API secrets', () => {
    const secrets = rights('get-thing').filter((right) => right.startsWith('secretsmanager:'))
    assert.equal(secrets.length, 1)
    assert.match(secrets[0]!, /UrlSigningKey/)
    assert.ok(rights('post-thing').some((right) => /GetSecretValue on <SecretsApiSecretsKey/.test(right)))
  })

  test('a function that makes upload forms can write to the uploads bucket, and read neither it nor the media', () => {
    const onBuckets = rights('post-thing').filter((right) => right.startsWith('s3:'))
    assert.equal(onBuckets.length, 1)
    assert.match(onBuckets[0]!, /^s3:PutObject on <StorageUploads\w+\.Arn>\/\*$/)
  })

  test('a function that sets profile images writes and removes those of all media, and reads none', () => {
    const onMedia = rights('sweep').filter((right) => right.includes('<StorageMedia'))
    assert.equal(onMedia.length, 2)
    for (const right of onMedia) assert.match(right, /^s3:(Put|Delete)Object on <StorageMedia\w+\.Arn>\/profiles\/\*$/)
  })

  test('a function that sends mail may use any identity as one sender, and the configuration set of its own stack alone', () => {
    const statements = roleOf('post-thing').properties.Policies[0].PolicyDocument.Statement as Json[]
    const mail = statements.filter(({ Action }) => listOf(Action).some((action) => action.startsWith('ses:')))
    assert.equal(mail.length, 1)
    const [set] = synthesized.ofType('AWS::SES::ConfigurationSet')
    const ownSet = `arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/<${set!.id}>`
    assert.deepEqual(mail[0].Resource.map(asText), [anyIdentity, ownSet])
    assert.deepEqual(mail[0].Condition, { StringEquals: { 'ses:FromAddress': 'library@example.com' } })
  })

  test('a consumer reads its own queue only', () => {
    const queues = rights('consume-service-events').filter((right) => right.startsWith('sqs:'))
    assert.equal(queues.length, 4)
    for (const right of queues) assert.match(right, / on <QueuesserviceEvents\w+\.Arn>$/)
  })

  test('a job that makes previews and streams reads originals, and writes where previews and streams are', () => {
    const role = roles.find(({ id }) => id.startsWith('Transcoding'))!
    const statements = role.properties.Policies[0].PolicyDocument.Statement as Json[]
    const named = statements.map(({ Action, Resource }) =>
      [Action, ...listOf(Resource).map(asText)].join(' ').replaceAll(/[0-9A-F]{8}\./g, '.'),
    )
    assert.deepEqual(named, [
      's3:GetObject <StorageMedia.Arn>/*/original',
      's3:PutObject <StorageMedia.Arn>/*/video/* <StoragePublic.Arn>/streams/*',
    ])
  })

  test('who has previews and streams made passes the role of jobs to MediaConvert only', () => {
    const statements = roleOf('do-encodings').properties.Policies[0].PolicyDocument.Statement as Json[]
    const passing = statements.find(({ Action }) => Action === 'iam:PassRole')!
    const jobs = roles.find(({ id }) => id.startsWith('Transcoding'))!
    assert.equal(pointsAt(passing.Resource), jobs.id)
    assert.deepEqual(passing.Condition, { StringEquals: { 'iam:PassedToService': 'mediaconvert.amazonaws.com' } })
  })

  test('who has keywords suggested reads the renditions that Rekognition is to look at, and no original', () => {
    const onPictures = rights('do-suggestions').filter((right) => /^(s3|rekognition):/.test(right))
    assert.deepEqual(
      onPictures.map((right) => right.replaceAll(/[0-9A-F]{8}\./g, '.')),
      ['rekognition:DetectLabels on *', 's3:GetObject on <StorageMedia.Arn>/*/renditions/*'],
    )
  })

  test('a schedule may invoke its function and nothing else', () => {
    const [schedule] = synthesized.ofType('AWS::Scheduler::Schedule')
    const role = roles.find(({ id }) => id === pointsAt(schedule!.properties.Target.RoleArn))!
    const [statement, ...others] = role.properties.Policies[0].PolicyDocument.Statement
    assert.deepEqual(others, [])
    assert.equal(statement.Action, 'lambda:InvokeFunction')
    assert.equal(pointsAt(statement.Resource), pointsAt(schedule!.properties.Target.Arn))
  })

  test('the gateway takes roles by which it invokes the functions behind the API, and no others', () => {
    const invokers = roles.filter(({ id }) => id.startsWith('ApiInvoker'))
    const invoked = invokers.flatMap(({ properties }) => {
      const [{ Principal, Condition }] = properties.AssumeRolePolicyDocument.Statement
      assert.deepEqual([Principal, Condition], [{ Service: 'apigateway.amazonaws.com' }, undefined])
      const [{ Action, Resource }, ...others] = properties.Policies[0].PolicyDocument.Statement
      assert.deepEqual([Action, others], ['lambda:InvokeFunction', []])
      return listOf(Resource).map((arn) => synthesized.resources.find(({ id }) => id === pointsAt(arn))!.properties.FunctionName)
    })
    assert.deepEqual(
      [...new Set(invoked.map((name: string) => name.replace('media-library-', '')))].sort(),
      [...Object.keys(sampleTables.endpoints), 'api-document', 'fallback'].sort(),
    )
  })

  test('nobody but a distribution has a permission at a function', () => {
    for (const { properties } of synthesized.ofType('AWS::Lambda::Permission'))
      assert.equal(properties.Principal, 'cloudfront.amazonaws.com')
  })

  test('the renderer of links reads what links show, and nothing else', () => {
    assert.deepEqual(
      rights('render-thing-of-link').map((right) => right.replace(/<(\w+?)[0-9A-F]{8}/, '<$1')),
      [
        'logs:CreateLogStream on <renderthingoflinkLogs.Arn>',
        'logs:PutLogEvents on <renderthingoflinkLogs.Arn>',
        's3:GetObject on <StoragePublic.Arn>/*',
        's3:ListBucket on <StoragePublic.Arn>',
      ],
    )
  })

  test('who uses the stock library knows the provider that the operator names, and may read its key; nobody else does', () => {
    const context = { stockProviderUrl: 'https://stock.example.com', stockProviderHosts: 'cdn.example.com,files.example.com' }
    const stockProviderKeyArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:stock-AbCdEf'
    const users = Object.entries(endpoints).flatMap(([name, { uses }]) => ('stock' in uses ? [`media-library-${name}`] : []))
    assert.ok(users.length > 3)
    const knowing = (given: Record<string, unknown>) => {
      const { ofType } = synthesize({ endpoints, events }, given)
      const functions = ofType('AWS::Lambda::Function').filter(({ properties }) =>
        Object.keys(properties.Environment?.Variables ?? {}).some((name) => name.startsWith('STOCK_PROVIDER')),
      )
      const readers = ofType('AWS::IAM::Role').filter(({ properties }) => JSON.stringify(properties).includes(stockProviderKeyArn))
      const variables = functions[0]?.properties.Environment.Variables
      return { names: functions.map(({ properties }) => properties.FunctionName).sort(), readers: readers.length, variables }
    }
    assert.deepEqual(knowing({}), { names: [], readers: 0, variables: undefined })
    const open = knowing(context)
    assert.deepEqual([open.names, open.readers], [users.sort(), 0])
    const { names, readers, variables } = knowing({ ...context, stockProviderKeyArn })
    assert.deepEqual([names, readers], [users.sort(), users.length])
    assert.equal(variables.STOCK_PROVIDER_URL, 'https://stock.example.com')
    assert.equal(variables.STOCK_PROVIDER_HOSTS, 'cdn.example.com,files.example.com')
    assert.equal(variables.STOCK_PROVIDER_KEY_ARN, stockProviderKeyArn)
  })

  test('every grant gives the environment variables that its adapter reads', () => {
    for (const [name, accesses] of Object.entries(grants)) {
      for (const [access, grant] of Object.entries(accesses)) {
        const given = Object.keys(grant.environment(anyTargets))
        const read = [...grant.adapter.make.matchAll(/process\.env\.(\w+)/g)]
          .map((match) => match[1]!)
          .filter((each) => !each.startsWith('AWS_'))
        assert.deepEqual(given.sort(), read.sort(), `${name}: ${access}`)
      }
    }
  })
})

/** Targets whose every property is some text. */
const anyTargets: Json = new Proxy({}, { get: () => new Proxy({}, { get: () => 'text' }) })
