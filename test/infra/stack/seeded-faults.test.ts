import assert from 'node:assert/strict'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events, openSearchEvents } from '../../../functions/events.ts'
import { sampleTables } from './sample-tables.ts'
import { type Json, synthesize, withStack } from './synthesized.ts'
import { templateChecks, templateProblems } from './template-checks.ts'

const sample = { tables: sampleTables, retain: false, stockProviderKeyArn: '' }
const production = { ...sample, retain: true }
/** Whose stock library is a provider of the operator's. */
const ofProvider = { ...sample, stockProviderKeyArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:stock-AbCdEf' }

/** A template of one's own to spoil. */
const templateOf = (service: typeof sample): Json => synthesize(service.tables, contextOf(service)).template

function contextOf({ retain, stockProviderKeyArn }: typeof sample): Record<string, string> {
  const provider = { stockProviderUrl: 'https://stock.example.com', stockProviderKeyArn }
  return { retain: String(retain), dashboard: 'true', ...(stockProviderKeyArn && provider) }
}

/** Resources of a type, by whose id the pattern is matched. */
function of(template: Json, type: string, pattern = /./): { id: string; Properties: Json; resource: Json }[] {
  return Object.entries<Json>(template.Resources)
    .filter(([id, resource]) => resource.Type === type && pattern.test(id))
    .map(([id, resource]) => ({ id, resource, Properties: resource.Properties }))
}

/** The first of them. */
function first(template: Json, type: string, pattern?: RegExp) {
  const [found] = of(template, type, pattern)
  assert.ok(found, `the sample has no ${type} ${pattern}`)
  return found
}

const statements = (template: Json, pattern: RegExp): Json[] =>
  first(template, 'AWS::IAM::Role', pattern).Properties.Policies[0].PolicyDocument.Statement
const sendTo = (template: Json, sender: RegExp, queue: string) =>
  statements(template, sender).push({ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': [queue, 'Arn'] } })
const lambda = (template: Json, pattern: RegExp) => first(template, 'AWS::Lambda::Function', pattern).Properties
const drop = (template: Json, { id }: { id: string }) => delete template.Resources[id]

interface Fault {
  what: string
  caughtBy: keyof typeof templateChecks
  in?: typeof sample
  seed(template: Json): void
}

/** One mistake each, as somebody could make it in infra/ or in a new release of CDK. */
const faults: Fault[] = [
  { what: 'a runtime that is not ours', caughtBy: 'functions', seed: (t) => (lambda(t, /getthing/).Runtime = 'nodejs18.x') },
  {
    what: 'another architecture than that of the packages',
    caughtBy: 'functions',
    seed: (t) => (lambda(t, /getthing/).Architectures = ['x86_64']),
  },
  { what: 'a handler that no bundle has', caughtBy: 'functions', seed: (t) => (lambda(t, /getthing/).Handler = 'main.handler') },
  { what: "a time-out beyond the gateway's", caughtBy: 'functions', seed: (t) => (lambda(t, /postthing/).Timeout = 30) },
  { what: 'a log that is kept for ever', caughtBy: 'logs', seed: (t) => delete first(t, 'AWS::Logs::LogGroup').Properties.RetentionInDays },
  { what: "a function that logs to Lambda's own group", caughtBy: 'logs', seed: (t) => delete lambda(t, /ping/).LoggingConfig },
  {
    what: "visibility below the function's time-out",
    caughtBy: 'queues',
    seed: (t) => (first(t, 'AWS::SQS::Queue', /^QueuesserviceEvents[0-9A-F]{8}$/).Properties.VisibilityTimeout = 29),
  },
  {
    what: 'a consumer that takes whole batches back',
    caughtBy: 'queues',
    seed: (t) => delete first(t, 'AWS::Lambda::EventSourceMapping').Properties.FunctionResponseTypes,
  },
  {
    what: 'a change consumer that loses what fails',
    caughtBy: 'queues',
    seed: (t) => delete first(t, 'AWS::Lambda::EventSourceMapping', /followexact/).Properties.DestinationConfig,
  },
  {
    what: 'a function that Lambda stops after 16 rounds',
    caughtBy: 'loops',
    seed: (t) => delete lambda(t, /doencodings/).RecursiveLoop,
  },
  {
    what: 'a function that sends to its own queue, which Lambda stops after 16 rounds',
    caughtBy: 'loops',
    seed: (t) => {
      const serviceEvents = first(t, 'AWS::SQS::Queue', /^QueuesserviceEvents[0-9A-F]{8}$/).id
      sendTo(t, /consumeserviceevents/, serviceEvents)
    },
  },
  {
    what: 'a function that may loop without a need',
    caughtBy: 'loops',
    seed: (t) => (lambda(t, /consumeserviceevents/).RecursiveLoop = 'Allow'),
  },
  {
    what: 'rounds that Lambda stops without an alarm',
    caughtBy: 'loops',
    seed: (t) => drop(t, first(t, 'AWS::CloudWatch::Alarm', /stoppedloops/)),
  },
  {
    what: 'a third reader of the change stream',
    caughtBy: 'streamReaders',
    seed: (t) => (t.Resources.Third = structuredClone(first(t, 'AWS::Lambda::EventSourceMapping', /followexact/).resource)),
  },
  {
    what: 'a queue without dead letters',
    caughtBy: 'deadLetters',
    seed: (t) => delete first(t, 'AWS::SQS::Queue', /^QueuesserviceEvents[0-9A-F]{8}$/).Properties.RedrivePolicy,
  },
  {
    what: 'dead letters without an alarm',
    caughtBy: 'deadLetters',
    seed: (t) =>
      drop(t, of(t, 'AWS::CloudWatch::Alarm').find(({ Properties }) => JSON.stringify(Properties).includes('serviceEventsdeadletters'))!),
  },
  {
    what: 'an index whose key is not that of the schema',
    caughtBy: 'table',
    seed: (t) => (first(t, 'AWS::DynamoDB::Table').Properties.GlobalSecondaryIndexes[0].KeySchema[0].AttributeName = 'folder'),
  },
  {
    what: 'an index that is missing',
    caughtBy: 'table',
    seed: (t) => first(t, 'AWS::DynamoDB::Table').Properties.GlobalSecondaryIndexes.pop(),
  },
  {
    what: 'a table that cannot be recovered',
    caughtBy: 'table',
    seed: (t) => delete first(t, 'AWS::DynamoDB::Table').Properties.PointInTimeRecoverySpecification,
  },
  {
    what: 'a table without its change stream',
    caughtBy: 'table',
    seed: (t) => delete first(t, 'AWS::DynamoDB::Table').Properties.StreamSpecification,
  },
  {
    what: 'a production table that anybody may delete',
    caughtBy: 'table',
    in: production,
    seed: (t) => delete first(t, 'AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled,
  },
  {
    what: 'a production bucket that goes with the stack',
    caughtBy: 'retention',
    in: production,
    seed: (t) => (first(t, 'AWS::S3::Bucket', /Media/).resource.DeletionPolicy = 'Delete'),
  },
  {
    what: 'a production bucket that is emptied with the stack',
    caughtBy: 'retention',
    in: production,
    seed: (t) => first(t, 'Custom::Buckets').Properties.Emptied.push({ Ref: first(t, 'AWS::S3::Bucket', /Media/).id }),
  },
  {
    what: 'a queue that takes no events of the mail service',
    caughtBy: 'services',
    seed: (t) => {
      const { Statement } = first(t, 'AWS::SQS::QueuePolicy', /^QueuesserviceEventsPolicy/).Properties.PolicyDocument
      const isEvents = ({ Principal }: Json) => Principal?.Service === 'events.amazonaws.com'
      Statement.splice(Statement.findIndex(isEvents), 1)
    },
  },
  {
    what: 'a queue that takes the events of every rule',
    caughtBy: 'services',
    seed: (t) => {
      const { Statement } = first(t, 'AWS::SQS::QueuePolicy', /^QueuesserviceEventsPolicy/).Properties.PolicyDocument
      delete Statement.find(({ Principal }: Json) => Principal?.Service === 'events.amazonaws.com').Condition
    },
  },
  {
    what: 'a role that jobs of any queue may take',
    caughtBy: 'services',
    seed: (t) => delete first(t, 'AWS::IAM::Role', /^Transcoding/).Properties.AssumeRolePolicyDocument.Statement[0].Condition,
  },
  {
    what: 'a job that may write originals',
    caughtBy: 'services',
    seed: (t) => (statements(t, /^Transcoding/)[0].Action = ['s3:GetObject', 's3:PutObject']),
  },
  {
    what: 'a job that may write no streams',
    caughtBy: 'services',
    seed: (t) => statements(t, /^Transcoding/)[1].Resource.pop(),
  },
  {
    what: 'a table that outlives a stack that is no production',
    caughtBy: 'retention',
    seed: (t) => (first(t, 'AWS::DynamoDB::Table').resource.DeletionPolicy = 'Retain'),
  },
  { what: 'a bucket that nobody empties', caughtBy: 'retention', seed: (t) => first(t, 'Custom::Buckets').Properties.Emptied.pop() },
  {
    what: 'a bucket that may be public',
    caughtBy: 'buckets',
    seed: (t) => (first(t, 'AWS::S3::Bucket', /Media/).Properties.PublicAccessBlockConfiguration.BlockPublicPolicy = false),
  },
  {
    what: 'uploads that expire, though their import may still wait',
    caughtBy: 'buckets',
    seed: (t) => (first(t, 'AWS::S3::Bucket', /Uploads/).Properties.LifecycleConfiguration.Rules[0].ExpirationInDays = 2),
  },
  {
    what: 'a closed bucket whose policy goes before it',
    caughtBy: 'retention',
    seed: (t) => delete first(t, 'AWS::S3::BucketPolicy', /Media/).resource.DeletionPolicy,
  },
  ...(
    [
      ['AWS::CloudFront::PublicKey', 'PublicKeyConfig', 'Name'],
      ['AWS::CloudFront::PublicKey', 'PublicKeyConfig', 'CallerReference'],
      ['AWS::CloudFront::KeyGroup', 'KeyGroupConfig', 'Name'],
      ['AWS::CloudFront::CachePolicy', 'CachePolicyConfig', 'Name'],
      ['AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig', 'Name'],
      ['AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig', 'Name'],
    ] as const
  ).map(
    ([type, config, name]): Fault => ({
      what: `a ${name} of ${type} that a second region would take as well`,
      caughtBy: 'names',
      seed: (t) => (first(t, type).Properties[config][name] = 'library'),
    }),
  ),
  {
    what: 'an edge function of one name in every region',
    caughtBy: 'names',
    seed: (t) => (first(t, 'AWS::CloudFront::Function').Properties.Name = 'library'),
  },
  {
    what: 'a dashboard of one name in every region',
    caughtBy: 'names',
    seed: (t) => (first(t, 'AWS::CloudWatch::Dashboard').Properties.DashboardName = 'library'),
  },
  {
    what: 'a name that is too long in some region',
    caughtBy: 'names',
    seed: (t) => first(t, 'AWS::CloudFront::Function').Properties.Name['Fn::Join'][1].unshift('x'.repeat(40)),
  },
  {
    what: 'a secret whose value is in the template',
    caughtBy: 'secrets',
    seed: (t) => (first(t, 'AWS::SecretsManager::Secret').Properties.SecretString = 'hunter2'),
  },
  {
    what: 'a secret in the environment of a function',
    caughtBy: 'secrets',
    seed: (t) => (lambda(t, /getthing/).Environment.Variables.KEY = '{{resolve:secretsmanager:key:SecretString:::}}'),
  },
  {
    what: 'a function that reads more secrets than the key of the provider',
    caughtBy: 'secrets',
    in: ofProvider,
    seed: (t) => {
      const reading = statements(t, /searchthings/).find(({ Resource }) => Resource === ofProvider.stockProviderKeyArn)
      reading.Resource = ofProvider.stockProviderKeyArn.replace(/stock-.*$/, '*')
    },
  },
  {
    what: 'a key of the provider in the environment of a function',
    caughtBy: 'secrets',
    in: ofProvider,
    seed: (t) =>
      (lambda(t, /searchthings/).Environment.Variables.STOCK_PROVIDER_KEY =
        `{{resolve:secretsmanager:${ofProvider.stockProviderKeyArn}:SecretString:::}}`),
  },
  {
    what: 'links of which any distribution may read what they show',
    caughtBy: 'services',
    seed: (t) => {
      const { Statement } = first(t, 'AWS::S3::BucketPolicy', /Public/).Properties.PolicyDocument
      for (const { Condition } of Statement) delete Condition.StringEquals
    },
  },
  {
    what: 'ended links that are answered as if they were refused',
    caughtBy: 'services',
    seed: (t) => first(t, 'AWS::S3::BucketPolicy', /Public/).Properties.PolicyDocument.Statement.pop(),
  },
  ...['InvokeUrl', 'Invoke'].map(
    (name): Fault => ({
      what: `a renderer that edges may not ask: ${name}`,
      caughtBy: 'services',
      seed: (t) => drop(t, first(t, 'AWS::Lambda::Permission', new RegExp(`^LinkDelivery${name}[0-9A-F]{8}$`))),
    }),
  ),
  {
    what: 'a renderer that any distribution may ask',
    caughtBy: 'services',
    seed: (t) => delete first(t, 'AWS::Lambda::Permission', /^LinkDeliveryInvokeUrl/).Properties.SourceArn,
  },
  {
    what: 'an edge function that does not parse',
    caughtBy: 'edge',
    seed: (t) => (first(t, 'AWS::CloudFront::Function').Properties.FunctionCode += '\nfunction ( {'),
  },
  {
    what: 'an edge function over 10 KB',
    caughtBy: 'edge',
    seed: (t) => (first(t, 'AWS::CloudFront::Function').Properties.FunctionCode += ` //${'x'.repeat(10_240)}`),
  },
  {
    what: 'an edge function without its handler',
    caughtBy: 'edge',
    seed: (t) => (first(t, 'AWS::CloudFront::Function').Properties.FunctionCode = 'function other() {}'),
  },
  {
    what: 'an endpoint that the gateway may not invoke',
    caughtBy: 'services',
    seed: (t) => statements(t, /ApiInvoker/)[0].Resource.pop(),
  },
  {
    what: 'a route that the gateway takes without its role',
    caughtBy: 'services',
    seed: (t) =>
      delete first(t, 'AWS::ApiGateway::RestApi').Properties.Body.paths['/thing'].post['x-amazon-apigateway-integration'].credentials,
  },
  {
    what: 'a consumer that the gateway may invoke',
    caughtBy: 'services',
    seed: (t) => statements(t, /ApiInvoker/)[0].Resource.push({ 'Fn::GetAtt': [first(t, 'AWS::Lambda::Function', /consume/).id, 'Arn'] }),
  },
  {
    what: 'a role whose policies are longer than IAM takes',
    caughtBy: 'rolePolicies',
    seed: (t) => {
      const { Resource } = statements(t, /ApiInvoker/)[0]
      for (let n = 0; n < 150; n++) Resource.push(`arn:aws:lambda:eu-west-1:123456789012:function:media-library-get-things-of-folder-${n}`)
    },
  },
  {
    what: 'a consumer that may not read its stream',
    caughtBy: 'services',
    seed: (t) => {
      const all = statements(t, /followexact/)
      all.splice(
        all.findIndex(({ Action }) => [Action].flat().includes('dynamodb:GetRecords')),
        1,
      )
    },
  },
  {
    what: 'a schedule that may not invoke its function',
    caughtBy: 'services',
    seed: (t) => (statements(t, /ScheduleRole/)[0].Action = 'lambda:GetFunction'),
  },
  {
    what: 'a distribution that may not read its bucket',
    caughtBy: 'services',
    seed: (t) => first(t, 'AWS::S3::BucketPolicy', /Media/).Properties.PolicyDocument.Statement.pop(),
  },
  {
    what: 'a queue that takes messages without TLS',
    caughtBy: 'services',
    seed: (t) => drop(t, first(t, 'AWS::SQS::QueuePolicy')),
  },
  {
    what: 'a right to everything',
    caughtBy: 'wildcards',
    seed: (t) => statements(t, /ping/).push({ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }),
  },
  {
    what: 'a right to everything beside that to look at pictures',
    caughtBy: 'wildcards',
    seed: (t) =>
      (statements(t, /dosuggestions/).find(({ Resource }) => Resource === '*').Action = ['rekognition:DetectLabels', 's3:GetObject']),
  },
  { what: 'a right to do everything', caughtBy: 'wildcards', seed: (t) => (statements(t, /ping/)[0].Action = 'logs:*') },
  {
    what: 'a route to a function that is not there',
    caughtBy: 'gateway',
    seed: (t) => drop(t, first(t, 'AWS::Lambda::Function', /ping/)),
  },
  {
    what: 'more resources than a stack takes',
    caughtBy: 'size',
    seed: (t) => {
      for (let n = 0; n < 450; n++) t.Resources[`Topic${n}`] = { Type: 'AWS::SNS::Topic' }
    },
  },
]

describe('the template', () => {
  for (const [name, service] of Object.entries({ '': sample, ', in production': production, ', with a provider of stock': ofProvider })) {
    test(`has nothing that our checks find${name}`, () => {
      assert.deepEqual(templateProblems(templateOf({ ...service, tables: { endpoints, events } }), service), [])
      assert.deepEqual(templateProblems(templateOf(service), service), [])
    })
  }

  test('has nothing that our checks find, with OpenSearch', () => {
    const settings = { searchEngine: 'opensearch', searchAdminArn: 'arn:aws:iam::123456789012:role/operator' }
    assert.deepEqual(templateProblems(synthesize({ endpoints, events: openSearchEvents }, settings).template, { retain: false }), [])
  })

  test('has nothing that our checks find, with a name as long as it may be', () => {
    const stackName = 'library-'.padEnd(28, 'x')
    assert.deepEqual(templateProblems(synthesize({ endpoints, events }, { stackName }).template, { retain: false }), [])
  })

  test('has roles that take 60 endpoints more, with such a name', () => {
    const stackName = 'library-'.padEnd(28, 'x')
    const more = Array.from({ length: 60 }, (_, n) => [
      `list-other-things-of-folder-${n}`,
      { ...endpoints['list-folders'], route: () => `GET /other-${n}` as const },
    ])
    const { template } = synthesize({ endpoints: { ...endpoints, ...Object.fromEntries(more) }, events }, { stackName })
    assert.deepEqual(
      templateProblems(template, { retain: false }).filter((each) => /^(rolePolicies|services): /.test(each)),
      [],
    )
  })
})

describe('a fault in a template is found', () => {
  for (const { what, caughtBy, in: where = sample, seed } of faults) {
    test(what, () => {
      const template = templateOf(where)
      seed(template)
      const found = templateProblems(template, where)
      assert.ok(
        found.some((each) => each.startsWith(`${caughtBy}: `)),
        `${caughtBy} found nothing, others: ${found.join('; ')}`,
      )
    })
  }

  test('a package that is missing', () => {
    const code = (key: string) => Code.fromAsset(`/nowhere/${key}`)
    assert.throws(() => withStack({ tables: sampleTables, code }, () => undefined), /Cannot find asset/)
  })

  test('every check is one that finds something', () => {
    const proved = new Set(faults.map(({ caughtBy }) => caughtBy))
    assert.deepEqual([...proved].sort(), Object.keys(templateChecks).sort())
  })
})
