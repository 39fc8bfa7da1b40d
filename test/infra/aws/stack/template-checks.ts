import { runInNewContext } from 'node:vm'
import { type IndexSchema, indexes } from '../../../../shared/backends/table/indexes.ts'
import { Account } from '../../../permissions/account.ts'
import { deployedResources } from '../../../permissions/deployed-template.ts'
import { excessesIn } from '../../../permissions/excesses.ts'
import { serviceAccesses } from '../../../permissions/service-accesses.ts'
import { asText, type Json, listOf, pointsAt, type Resource, readTemplate, type Synthesized } from './synthesized.ts'

/** Seconds; see infra/aws/stack/gateway-document.ts. */
const GATEWAY_TIMEOUT = 29
const EDGE_FUNCTION_BYTES = 10_240
/** Characters of all inline policies of one role, without white space. Source: IAM User Guide, "IAM and AWS STS quotas". */
const ROLE_POLICIES_LENGTH = 10_240
/** CloudFront's functions and access controls have the shortest. */
const GLOBAL_NAME_LENGTH = 64
/** Functions that may read a shard of a stream at a time. Source: DynamoDB Developer Guide, "DynamoDB Streams and AWS Lambda triggers". */
const MOST_STREAM_READERS = 2
const LONGEST_REGION = 'ap-northeast-1'

/** Days for which dead letters wait. */
const LETTER_DAYS = 14

/** What is of use to this stack alone: it goes with the stack. */
const passing = /^(StorageUploads|Queuesfailedchanges)/

/** Finds what is wrong in a template, in sentences. */
export type TemplateCheck = (stack: Synthesized, settings: { retain: boolean }) => string[]

/** Our own checks of a whole template, by what they look at. None needs anything but the template. */
export const templateChecks = {
  functions: (stack) => {
    const [api] = stack.ofType('AWS::ApiGateway::RestApi')
    const called = calledNames(api?.properties.Body)
    return stack
      .ofType('AWS::Lambda::Function')
      .flatMap(({ id, properties: { Runtime, Architectures, Handler, Timeout, FunctionName } }) => [
        ...problem(Runtime !== 'nodejs24.x', `${id} runs ${Runtime}`),
        ...problem(listOf(Architectures).join() !== 'arm64', `${id} runs on ${Architectures}`),
        ...problem(Handler !== 'index.handler', `${id} starts at ${Handler}`),
        ...problem(called.has(FunctionName) && Timeout > GATEWAY_TIMEOUT, `${id} computes on after the gateway gave up`),
      ])
  },

  logs: (stack) =>
    stack.ofType('AWS::Lambda::Function').flatMap(({ id, properties }) => {
      const group = find(stack, pointsAt(properties.LoggingConfig?.LogGroup))
      return problem(!(group?.properties.RetentionInDays > 0), `${id} keeps its log for ever`)
    }),

  gateway: (stack) => {
    const [api] = stack.ofType('AWS::ApiGateway::RestApi')
    const names = new Set(stack.ofType('AWS::Lambda::Function').map(({ properties }) => properties.FunctionName))
    return [...calledNames(api?.properties.Body)].flatMap((name) => problem(!names.has(name), `the gateway calls ${name}`))
  },

  consumers: (stack) =>
    stack.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ id, properties }) => {
      const kept = find(stack, pointsAt(properties.DestinationConfig?.OnFailure?.Destination))
      const isTold = stack
        .ofType('AWS::Events::Rule')
        .some(({ properties: { EventPattern } }) => listOf(EventPattern.detail?.bucket?.name).map(pointsAt).includes(kept?.id))
      return [
        ...problem(!properties.BisectBatchOnFunctionError, `${id} gives up whole batches`),
        ...problem(kept?.type !== 'AWS::S3::Bucket', `${id} loses what fails`),
        ...problem(
          !isTold || !kept?.properties.NotificationConfiguration?.EventBridgeConfiguration,
          `nobody is told of what ${id} gives up`,
        ),
      ]
    }),

  loops: (stack) => {
    const started = startedBy(stack)
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      for (const next of started.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
      return seen
    }
    const isWatched = stack
      .ofType('AWS::CloudWatch::Alarm')
      .some(
        ({ properties }) =>
          properties.AlarmActions?.length && JSON.stringify(properties.Metrics ?? []).includes('RecursiveInvocationsDropped'),
      )
    return [
      ...stack.ofType('AWS::Lambda::Function').flatMap(({ id, properties }) => {
        const [loops, mayLoop] = [reach(id).has(id), properties.RecursiveLoop === 'Allow']
        return problem(
          loops !== mayLoop,
          loops ? `${id} starts itself, and Lambda stops that after 16 rounds` : `${id} may loop, though it starts nothing`,
        )
      }),
      ...problem(!isWatched, 'no alarm tells of rounds that Lambda stops'),
    ]
  },

  streamReaders: (stack) =>
    stack.ofType('AWS::DynamoDB::Table').flatMap(({ id }) => {
      const readers = stack.ofType('AWS::Lambda::EventSourceMapping').filter(({ properties }) => pointsAt(properties.EventSourceArn) === id)
      return problem(readers.length > MOST_STREAM_READERS, `${readers.length} functions read the stream of ${id}`)
    }),

  deadLetters: (stack) =>
    stack.ofType('AWS::SQS::Queue').flatMap(({ id, properties: { MessageRetentionPeriod } }) => {
      const isWatched = stack
        .ofType('AWS::CloudWatch::Alarm')
        .some(
          ({ properties }) => properties.AlarmActions?.length && listOf(properties.Dimensions).some(({ Value }) => pointsAt(Value) === id),
        )
      return [
        ...problem(!isWatched, `no alarm tells of dead letters in ${id}`),
        ...problem(MessageRetentionPeriod !== LETTER_DAYS * 86_400, `${id} forgets dead letters early`),
      ]
    }),

  table: (stack, { retain }) =>
    stack.ofType('AWS::DynamoDB::Table').flatMap(({ id, properties }) => {
      const made = listOf(properties.GlobalSecondaryIndexes).map(({ IndexName, KeySchema }) => [IndexName, ...keysOf(KeySchema)].join())
      const declared = Object.entries<IndexSchema>(indexes).map(([name, { pk, sk }]) => [name, pk, sk].join())
      return [
        ...problem(made.sort().join('; ') !== declared.sort().join('; '), `the indexes of ${id} are ${made.join('; ')}`),
        ...problem(!properties.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled, `${id} can't be recovered`),
        ...problem(properties.StreamSpecification?.StreamViewType !== 'NEW_AND_OLD_IMAGES', `${id} doesn't tell its changes`),
        ...problem(Boolean(properties.DeletionProtectionEnabled) !== retain, `${id} ${retain ? 'can' : "can't"} be deleted`),
      ]
    }),

  buckets: (stack) =>
    stack.ofType('AWS::S3::Bucket').flatMap(({ id, properties }) => {
      const blocked = Object.values(properties.PublicAccessBlockConfiguration ?? {})
      const rules = listOf(properties.LifecycleConfiguration?.Rules)
      return [
        ...problem(blocked.length !== 4 || !blocked.every(Boolean), `${id} may be public`),
        ...problem(!properties.BucketEncryption, `${id} isn't encrypted`),
        ...problem(
          rules.some(({ ExpirationInDays: days }) => days && !(id.startsWith('Queuesfailedchanges') && days > LETTER_DAYS)),
          `${id} loses what is still needed`,
        ),
      ]
    }),

  retention: (stack, { retain }) => {
    const emptied = stack.ofType('Custom::Buckets').flatMap(({ properties }) => listOf(properties.Emptied).map(pointsAt))
    return stack.resources.flatMap(({ id, type, properties, deletionPolicy }) => {
      const isData = /^AWS::(DynamoDB::Table|S3::Bucket)$/.test(type) && !passing.test(id)
      const stays = deletionPolicy === 'Retain'
      // What closes a bucket before it is emptied must not be removed before the bucket.
      const isClosing = type === 'AWS::S3::BucketPolicy' && emptied.includes(pointsAt(properties.Bucket))
      return [
        ...problem(stays !== (isClosing || (retain && isData)), `${id} ${stays ? 'stays' : 'goes'} when the stack goes`),
        ...problem(type === 'AWS::S3::Bucket' && !stays && !emptied.includes(id), `${id} can't be removed, because nobody empties it`),
        ...problem(stays && emptied.includes(id), `${id} is emptied though it stays`),
      ]
    })
  },

  names: (stack) =>
    stack.resources.flatMap(({ id, type, properties }) =>
      globalNames(type, properties).flatMap((name) => {
        const longest = name.replaceAll('<AWS::Region>', LONGEST_REGION)
        return [
          ...problem(!name.includes('<AWS::Region>'), `${id} is called ${name} in every region, and names of its kind are the account's`),
          ...problem(longest.length > GLOBAL_NAME_LENGTH, `the name of ${id} may have ${longest.length} characters`),
        ]
      }),
    ),

  secrets: (stack) =>
    stack.resources.flatMap(({ id, type, properties }) => {
      const text = JSON.stringify(properties)
      const tells = /"[^"]+","OriginKey"|\{\{resolve:/.test(text)
      const read = listOf(properties.Policies)
        .flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
        .filter(({ Action }: Json) => listOf(Action).some((action) => /^(secretsmanager:GetSecretValue|ssm:GetParameter)/.test(action)))
        .flatMap(({ Resource }: Json) => listOf(Resource).map(asText))
      return [
        ...problem(type === 'Custom::OriginKey' && properties.NoEcho !== true, `CloudFormation shows the key of ${id} to everybody`),
        ...problem(type === 'AWS::IAM::Role' && read.some((arn) => arn.includes('*')), `${id} may read secrets that it does not name`),
        ...problem(/-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b/.test(text), `${id} holds a key`),
        // The delivery network proves itself with a header: the one place that has a secret.
        ...problem(tells && type !== 'AWS::CloudFront::Distribution', `${id} is told a secret`),
      ]
    }),

  edge: (stack) =>
    stack.ofType('AWS::CloudFront::Function').flatMap(({ id, properties }) => edgeProblems(id, asText(properties.FunctionCode))),

  services: ({ template }) => {
    const place = { accountId: '123456789012', region: 'eu-west-1', stackName: 'library' }
    const resources = deployedResources(template, place)
    const account = new Account(resources)
    return serviceAccesses(resources, place).flatMap((access) =>
      problem(
        account.allows(access) === (access.denied === true),
        `${access.why}: ${access.action} is ${access.denied ? 'allowed' : 'denied'}`,
      ),
    )
  },

  rolePolicies: ({ template }) =>
    deployedResources(template, { accountId: '123456789012', region: LONGEST_REGION, stackName: '' })
      .filter(({ type }) => type === 'AWS::IAM::Role')
      .flatMap(({ id, properties }) => {
        const length = listOf(properties.Policies).reduce((sum, { PolicyDocument }) => sum + JSON.stringify(PolicyDocument).length, 0)
        return problem(length > ROLE_POLICIES_LENGTH, `the policies of ${id} have ${length} characters`)
      }),

  wildcards: ({ template }) =>
    excessesIn(deployedResources(template, { accountId: '123456789012', region: 'eu-west-1', stackName: 'library' })),
} as const satisfies Record<string, TemplateCheck>

/** Everything that these checks find, each finding after the name of its check. */
export function templateProblems(template: Json, settings: { retain: boolean }): string[] {
  const stack = readTemplate(template)
  return Object.entries<TemplateCheck>(templateChecks).flatMap(([name, check]) => {
    try {
      return check(stack, settings).map((found) => `${name}: ${found}`)
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
}

/** CloudFront refuses what is too long, and what doesn't parse. */
function edgeProblems(id: string, source: string): string[] {
  const tooLong = problem(Buffer.byteLength(source) > EDGE_FUNCTION_BYTES, `${id} is ${Buffer.byteLength(source)} bytes long`)
  try {
    const script = source.replace("import cf from 'cloudfront'", '')
    return [...tooLong, ...problem(runInNewContext(`${script}; typeof handler`, {}) !== 'function', `${id} has no handler`)]
  } catch (error) {
    return [...tooLong, `${id}: ${(error as Error).message}`]
  }
}

const problem = (isWrong: boolean, sentence: string): string[] => (isWrong ? [sentence] : [])

const find = ({ resources }: Synthesized, id: string | undefined): Resource | undefined => resources.find((resource) => resource.id === id)

/** The functions that each function may invoke, by ids. */
function startedBy(stack: Synthesized): Map<string, string[]> {
  const functions = stack.ofType('AWS::Lambda::Function')
  const named = (arn: Json) => functions.filter(({ properties }) => asText(arn).endsWith(`:function:${properties.FunctionName}`))
  const allowed = (role: Resource | undefined, action: string): Json[] =>
    listOf(role?.properties.Policies)
      .flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
      .filter(({ Action }: Json) => listOf(Action).includes(action))
      .flatMap(({ Resource }: Json) => listOf(Resource))
  return new Map(
    functions.map(({ id, properties }) => {
      const role = find(stack, pointsAt(properties.Role))
      return [id, allowed(role, 'lambda:InvokeFunction').flatMap((arn) => named(arn).map((fn) => fn.id))]
    }),
  )
}

const keysOf = (schema: Json[]): string[] => schema.map(({ AttributeName }) => AttributeName)

/** Names of the functions that an API's document calls. */
function calledNames(body: Json): Set<string> {
  const uris = (value: Json): string[] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries<Json>(value).flatMap(([key, each]) => (key === 'uri' ? [asText(each)] : uris(each)))
  }
  return new Set(uris(body).map((uri) => /:function:([\w-]+)\/invocations$/.exec(uri)?.[1] ?? uri))
}

/** Names of a resource that are global to the account: those of CloudFront, dashboards, roles, and buckets, which are unique in the world. */
function globalNames(type: string, properties: Json): string[] {
  if (type === 'AWS::CloudWatch::Dashboard') return [asText(properties.DashboardName)]
  const given = type === 'AWS::IAM::Role' ? properties.RoleName : type === 'AWS::S3::Bucket' ? properties.BucketName : undefined
  if (given) return [asText(given)]
  if (!type.startsWith('AWS::CloudFront::')) return []
  // Each kind has its configuration below one property, functions beside it.
  return [properties, ...Object.values<Json>(properties)]
    .flatMap((config) => [config?.Name, config?.CallerReference])
    .filter((name) => name !== undefined)
    .map(asText)
}
