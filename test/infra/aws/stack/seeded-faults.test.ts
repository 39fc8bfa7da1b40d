import assert from 'node:assert/strict'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events, openSearchEvents } from '../../../../functions/events.ts'
import { sampleTables } from './sample-tables.ts'
import { type Json, openSearchSettings, synthesize, withStack } from './synthesized.ts'
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
const edge = (template: Json) => first(template, 'AWS::CloudFront::Function').Properties
const table = (template: Json) => first(template, 'AWS::DynamoDB::Table').Properties
const lambda = (template: Json, pattern: RegExp) => first(template, 'AWS::Lambda::Function', pattern).Properties
const drop = (template: Json, { id }: { id: string }) => delete template.Resources[id]

type Faults = Partial<Record<keyof typeof templateChecks, Record<string, (template: Json) => unknown>>>

/** One mistake each, as somebody could make it in infra/ or in a new release of CDK, by the check that finds it. */
const faults: Faults = {
  functions: {
    'a runtime that is not ours': (t) => (lambda(t, /getthing/).Runtime = 'nodejs18.x'),
    'another architecture than that of the packages': (t) => (lambda(t, /getthing/).Architectures = ['x86_64']),
    'a handler that no bundle has': (t) => (lambda(t, /getthing/).Handler = 'main.handler'),
    "a time-out beyond the gateway's": (t) => (lambda(t, /postthing/).Timeout = 30),
  },
  logs: {
    'a log that is kept for ever': (t) => delete first(t, 'AWS::Logs::LogGroup').Properties.RetentionInDays,
    "a function that logs to Lambda's own group": (t) => delete lambda(t, /ping/).LoggingConfig,
  },
  consumers: {
    'a consumer that gives up whole batches': (t) =>
      delete first(t, 'AWS::Lambda::EventSourceMapping').Properties.BisectBatchOnFunctionError,
    'a change consumer that loses what fails': (t) =>
      delete first(t, 'AWS::Lambda::EventSourceMapping', /followexact/).Properties.DestinationConfig,
    'a change consumer of which only a place in the stream is kept': (t) =>
      (first(t, 'AWS::Lambda::EventSourceMapping', /followexact/).Properties.DestinationConfig.OnFailure.Destination['Fn::GetAtt'][0] =
        first(t, 'AWS::SQS::Queue').id),
    'changes that are given up without a letter': (t) => drop(t, first(t, 'AWS::Events::Rule', /Kept/)),
    'a bucket that tells nobody of changes that are given up': (t) =>
      delete first(t, 'AWS::S3::Bucket', /failedchanges/).Properties.NotificationConfiguration,
  },
  loops: {
    'a function that Lambda stops after 16 rounds': (t) => delete lambda(t, /doencodings/).RecursiveLoop,
    'a function that may loop without a need': (t) => (lambda(t, /consumeserviceevents/).RecursiveLoop = 'Allow'),
    'rounds that Lambda stops without an alarm': (t) => drop(t, first(t, 'AWS::CloudWatch::Alarm', /stoppedloops/)),
  },
  streamReaders: {
    'a third reader of the change stream': (t) =>
      (t.Resources.Third = structuredClone(first(t, 'AWS::Lambda::EventSourceMapping', /followexact/).resource)),
  },
  deadLetters: {
    'dead letters without an alarm': (t) => drop(t, first(t, 'AWS::CloudWatch::Alarm', /runsparked/)),
    'dead letters that go after four days': (t) => delete first(t, 'AWS::SQS::Queue').Properties.MessageRetentionPeriod,
  },
  table: {
    'an index whose key is not that of the schema': (t) => (table(t).GlobalSecondaryIndexes[0].KeySchema[0].AttributeName = 'folder'),
    'an index that is missing': (t) => table(t).GlobalSecondaryIndexes.pop(),
    'a table that cannot be recovered': (t) => delete table(t).PointInTimeRecoverySpecification,
    'a table without its change stream': (t) => delete table(t).StreamSpecification,
  },
  services: {
    'a renderer whose URL edges may not ask': (t) => drop(t, first(t, 'AWS::Lambda::Permission', /^LinkDeliveryInvokeUrl[0-9A-F]{8}$/)),
    'a renderer that edges may not ask': (t) => drop(t, first(t, 'AWS::Lambda::Permission', /^LinkDeliveryInvoke[0-9A-F]{8}$/)),
    'a function that no rule of the mail service may start': (t) => drop(t, first(t, 'AWS::Lambda::Permission', /MailEvents/)),
    'a function that every rule may start': (t) => delete first(t, 'AWS::Lambda::Permission', /MailEvents/).Properties.SourceArn,
    'a queue that takes no letters of a rule': (t) => {
      const { Statement } = first(t, 'AWS::SQS::QueuePolicy').Properties.PolicyDocument
      const isEvents = ({ Principal }: Json) => Principal?.Service === 'events.amazonaws.com'
      Statement.splice(Statement.findIndex(isEvents), 1)
    },
    'a consumer that may not keep what it gives up': (t) =>
      statements(t, /followexact/).splice(
        statements(t, /followexact/).findIndex(({ Action }) => Action === 's3:PutObject'),
        1,
      ),
    'a queue that takes the events of every rule': (t) => {
      const { Statement } = first(t, 'AWS::SQS::QueuePolicy').Properties.PolicyDocument
      delete Statement.find(({ Principal }: Json) => Principal?.Service === 'events.amazonaws.com').Condition
    },
    'a role that jobs of any queue may take': (t) =>
      delete first(t, 'AWS::IAM::Role', /^Transcoding/).Properties.AssumeRolePolicyDocument.Statement[0].Condition,
    'a job that may write originals': (t) => (statements(t, /^Transcoding/)[0].Action = ['s3:GetObject', 's3:PutObject']),
    'a job that may write no streams': (t) => statements(t, /^Transcoding/)[1].Resource.pop(),
    'links of which any distribution may read what they show': (t) => {
      const { Statement } = first(t, 'AWS::S3::BucketPolicy', /Public/).Properties.PolicyDocument
      for (const { Condition } of Statement) delete Condition.StringEquals
    },
    'ended links that are answered as if they were refused': (t) =>
      first(t, 'AWS::S3::BucketPolicy', /Public/).Properties.PolicyDocument.Statement.pop(),
    'a renderer that any distribution may ask': (t) =>
      delete first(t, 'AWS::Lambda::Permission', /^LinkDeliveryInvokeUrl/).Properties.SourceArn,
    'an endpoint that the gateway may not invoke': (t) => statements(t, /^Invoker/)[0].Resource.pop(),
    'a route that the gateway takes without its role': (t) =>
      delete first(t, 'AWS::ApiGateway::RestApi').Properties.Body.paths['/thing'].post['x-amazon-apigateway-integration'].credentials,
    'a consumer that the gateway may invoke': (t) =>
      statements(t, /^Invoker/)[0].Resource.push({ 'Fn::GetAtt': [first(t, 'AWS::Lambda::Function', /consume/).id, 'Arn'] }),
    'a consumer that may not read its stream': (t) => {
      const all = statements(t, /followexact/)
      all.splice(
        all.findIndex(({ Action }) => [Action].flat().includes('dynamodb:GetRecords')),
        1,
      )
    },
    'a schedule that may not invoke its function': (t) => (statements(t, /ScheduleRole/)[0].Action = 'lambda:GetFunction'),
    'a distribution that may not read its bucket': (t) =>
      first(t, 'AWS::S3::BucketPolicy', /Media/).Properties.PolicyDocument.Statement.pop(),
    'a queue that takes messages without TLS': (t) => drop(t, first(t, 'AWS::SQS::QueuePolicy')),
  },
  retention: {
    'a table that outlives a stack that is no production': (t) => (first(t, 'AWS::DynamoDB::Table').resource.DeletionPolicy = 'Retain'),
    'a bucket that nobody empties': (t) => first(t, 'Custom::Buckets').Properties.Emptied.pop(),
    'a closed bucket whose policy goes before it': (t) => delete first(t, 'AWS::S3::BucketPolicy', /Media/).resource.DeletionPolicy,
  },
  buckets: {
    'a bucket that may be public': (t) =>
      (first(t, 'AWS::S3::Bucket', /Media/).Properties.PublicAccessBlockConfiguration.BlockPublicPolicy = false),
    'uploads that expire, though their import may still wait': (t) =>
      (first(t, 'AWS::S3::Bucket', /Uploads/).Properties.LifecycleConfiguration.Rules[0].ExpirationInDays = 2),
    'changes that were given up and expire before their letters': (t) =>
      (first(t, 'AWS::S3::Bucket', /failedchanges/).Properties.LifecycleConfiguration.Rules[0].ExpirationInDays = 13),
  },
  names: {
    'a name of a cache policy that a second region would take as well': (t) =>
      (first(t, 'AWS::CloudFront::CachePolicy').Properties.CachePolicyConfig.Name = 'library'),
    'a reference of a key that a second region would take as well': (t) =>
      (first(t, 'AWS::CloudFront::PublicKey').Properties.PublicKeyConfig.CallerReference = 'library'),
    'an edge function of one name in every region': (t) => (edge(t).Name = 'library'),
    'a dashboard of one name in every region': (t) => (first(t, 'AWS::CloudWatch::Dashboard').Properties.DashboardName = 'library'),
    'a name that is too long in some region': (t) => edge(t).Name['Fn::Join'][1].unshift('x'.repeat(40)),
  },
  secrets: {
    'a key that CloudFormation shows to everybody': (t) => delete first(t, 'Custom::OriginKey').Properties.NoEcho,
    'a key of the network in the environment of a function': (t) =>
      (lambda(t, /getthing/).Environment.Variables.KEY = { 'Fn::GetAtt': [first(t, 'Custom::OriginKey').id, 'OriginKey'] }),
    'a function that reads every parameter': (t) =>
      (statements(t, /getthing/).find(({ Action }) => Action === 'ssm:GetParameter').Resource = 'arn:aws:ssm:*:*:parameter/*'),
    'a secret in the environment of a function': (t) =>
      (lambda(t, /getthing/).Environment.Variables.KEY = '{{resolve:secretsmanager:key:SecretString:::}}'),
  },
  edge: {
    'an edge function that does not parse': (t) => (edge(t).FunctionCode += '\nfunction ( {'),
    'an edge function over 10 KB': (t) => (edge(t).FunctionCode += ` //${'x'.repeat(10_240)}`),
    'an edge function without its handler': (t) => (edge(t).FunctionCode = 'function other() {}'),
  },
  rolePolicies: {
    'a role whose policies are longer than IAM takes': (t) => {
      const { Resource } = statements(t, /^Invoker/)[0]
      for (let n = 0; n < 150; n++) Resource.push(`arn:aws:lambda:eu-west-1:123456789012:function:media-library-get-things-of-folder-${n}`)
    },
  },
  wildcards: {
    'a right to everything': (t) => statements(t, /ping/).push({ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }),
    'a right to everything beside that to look at pictures': (t) =>
      (statements(t, /dosuggestions/).find(({ Resource }) => Resource === '*').Action = ['rekognition:DetectLabels', 's3:GetObject']),
    'a right to do everything': (t) => (statements(t, /ping/)[0].Action = 'logs:*'),
  },
  gateway: {
    'a route to a function that is not there': (t) => drop(t, first(t, 'AWS::Lambda::Function', /ping/)),
  },
}
const faultsInProduction: Faults = {
  table: {
    'a production table that anybody may delete': (t) => delete table(t).DeletionProtectionEnabled,
  },
  retention: {
    'a production bucket that goes with the stack': (t) => (first(t, 'AWS::S3::Bucket', /Media/).resource.DeletionPolicy = 'Delete'),
    'a production bucket that is emptied with the stack': (t) =>
      first(t, 'Custom::Buckets').Properties.Emptied.push({ Ref: first(t, 'AWS::S3::Bucket', /Media/).id }),
  },
}
const faultsWithProvider: Faults = {
  secrets: {
    'a function that reads more secrets than the key of the provider': (t) => {
      const reading = statements(t, /searchthings/).find(({ Resource }) => Resource === ofProvider.stockProviderKeyArn)
      reading.Resource = ofProvider.stockProviderKeyArn.replace(/stock-.*$/, '*')
    },
    'a key of the provider in the environment of a function': (t) =>
      (lambda(t, /searchthings/).Environment.Variables.STOCK_PROVIDER_KEY =
        `{{resolve:secretsmanager:${ofProvider.stockProviderKeyArn}:SecretString:::}}`),
  },
}

describe('the template', () => {
  for (const [name, service] of Object.entries({ '': sample, ', in production': production, ', with a provider of stock': ofProvider })) {
    test(`has nothing that our checks find${name}`, () => {
      assert.deepEqual(templateProblems(templateOf({ ...service, tables: { endpoints, events } }), service), [])
      assert.deepEqual(templateProblems(templateOf(service), service), [])
    })
  }

  test('has nothing that our checks find, with OpenSearch', () => {
    const { template } = synthesize({ endpoints, events: openSearchEvents }, openSearchSettings)
    assert.deepEqual(templateProblems(template, { retain: false }), [])
  })
})

describe('a fault in a template is found', () => {
  const all = [
    [sample, faults],
    [production, faultsInProduction],
    [ofProvider, faultsWithProvider],
  ] as const
  const cases = all.flatMap(([service, byCheck]) =>
    Object.entries(byCheck).flatMap(([check, seeds]) => Object.entries(seeds).map(([what, seed]) => ({ service, check, what, seed }))),
  )
  test.each(cases)('$what', ({ service, check, seed }) => {
    const template = templateOf(service)
    seed(template)
    const found = templateProblems(template, service)
    assert.ok(
      found.some((each) => each.startsWith(`${check}: `)),
      `${check} found nothing, others: ${found.join('; ')}`,
    )
  })

  test('a package that is missing', () => {
    const code = (key: string) => Code.fromAsset(`/nowhere/${key}`)
    assert.throws(() => withStack({ tables: sampleTables, code }, () => undefined), /Cannot find asset/)
  })

  test('every check is one that finds something', () => {
    assert.deepEqual(Object.keys(faults).sort(), Object.keys(templateChecks).sort())
  })
})
