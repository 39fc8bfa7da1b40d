import { objectKeys } from '../../shared/library/media/objects.ts'
import { videoObjects } from '../../shared/library/videos/objects.ts'
import { toCompanyId, toEncodingId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { LADDER } from '../../shared/vocabulary/video.ts'
import type { Json } from '../infra/aws/stack/synthesized.ts'
import { ALL_RIGHTS } from './account.ts'
import type { DeployedResource, Place } from './deployed-template.ts'
import type { Access } from './policy.ts'

/** An access that must be allowed, or must be denied, and why. */
export interface Expected extends Access {
  why: string
  denied?: boolean
}

const serviceOf = (id: string) => `${id}.amazonaws.com`

/**
 * What AWS's services do among themselves because of a template. No SDK call of ours shows it and no emulator judges it: it is read from
 * what the template wires together.
 */
export function serviceAccesses(resources: readonly DeployedResource[], place: Place): Expected[] {
  return resources.flatMap((resource) => accessesOf(resource, resources, place))
}

function accessesOf(resource: DeployedResource, resources: readonly DeployedResource[], place: Place): Expected[] {
  const { type } = resource
  if (type === 'AWS::Lambda::Function') return functionAccesses(resource, resources)
  if (type === 'AWS::Lambda::EventSourceMapping') return sourceAccesses(resource, resources, place)
  if (type === 'AWS::Scheduler::Schedule') return scheduleAccesses(resource, resources, place)
  if (type === 'AWS::Events::Rule') return ruleAccesses(resource, place)
  if (type === 'AWS::MediaConvert::Queue') return transcoderAccesses(resource, resources, place)
  if (type === 'AWS::ApiGateway::RestApi') return gatewayAccesses(resource, resources)
  if (type === 'AWS::CloudFront::Distribution') return distributionAccesses(resource, resources, place)
  if (type === 'AWS::CloudWatch::Alarm') return alarmAccesses(resource, place)
  return plainHttpAccesses(resource)
}

/** Lambda takes the function's role, and writes its log and its dead letters with it. */
function functionAccesses({ id, properties }: DeployedResource, resources: readonly DeployedResource[]): Expected[] {
  const by = roleAt(properties.Role, resources)
  const log = resources.find(({ ref, type }) => type === 'AWS::Logs::LogGroup' && ref === properties.LoggingConfig?.LogGroup)
  const stream = log?.attributes.Arn?.replace(/\*$/, 'log-stream:2026/01/01/[$LATEST]0')
  const letters = properties.DeadLetterConfig?.TargetArn
  return [
    { why: `${id} runs`, by: serviceOf('lambda'), action: 'sts:AssumeRole', resource: properties.Role },
    ...(stream ? ['logs:CreateLogStream', 'logs:PutLogEvents'] : []).map((action) => ({
      why: `${id} writes its log`,
      by,
      action,
      resource: stream!,
    })),
    ...(letters ? [{ why: `${id} parks what failed`, by, action: 'sqs:SendMessage', resource: letters }] : []),
  ]
}

/** What Lambda's pollers do with the function's role. Source: AWS Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB". */
function sourceAccesses({ id, properties }: DeployedResource, resources: readonly DeployedResource[], { accountId }: Place): Expected[] {
  const fn = resources.find(({ type, ref }) => type === 'AWS::Lambda::Function' && ref === properties.FunctionName)
  const by = roleAt(fn?.properties.Role, resources)
  const resource: string = properties.EventSourceArn
  const actions = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams']
  const bucket = properties.DestinationConfig?.OnFailure?.Destination
  const put = { by, action: 's3:PutObject', resource: `${bucket}/aws/lambda/id-of-${id}/shardId-1/2026/01/01/2026-01-01T00.00.00-id` }
  const owner = (account: string) => ({ context: { 's3:resourceaccount': account } })
  return [
    ...actions.map((action) => ({ why: `${id} polls`, by, action, resource })),
    { why: `${id} keeps what failed`, ...put, ...owner(accountId) },
    { why: `${id} keeps what failed`, by, action: 's3:ListBucket', resource: bucket },
    { why: `${id} keeps what failed in a bucket of another account`, ...put, ...owner('another'), denied: true },
  ]
}

function scheduleAccesses({ id, properties }: DeployedResource, resources: readonly DeployedResource[], { accountId }: Place): Expected[] {
  const { Arn, RoleArn } = properties.Target
  const context = { 'aws:sourceaccount': accountId }
  return [
    { why: `${id} comes due`, by: serviceOf('scheduler'), action: 'sts:AssumeRole', resource: RoleArn, context },
    { why: `${id} comes due`, by: roleAt(RoleArn, resources), action: 'lambda:InvokeFunction', resource: Arn },
  ]
}

/** A rule starts its functions and sends to its queues, what these didn't take to the dead letters; no other rule does. */
function ruleAccesses({ id, properties, attributes }: DeployedResource, { region, accountId }: Place): Expected[] {
  const targets: { Arn: string; DeadLetterConfig?: { Arn: string } }[] = properties.Targets
  const told = targets.flatMap(({ Arn, DeadLetterConfig }) => [Arn, ...(DeadLetterConfig ? [DeadLetterConfig.Arn] : [])])
  const from = (rule: string | undefined) => ({ 'aws:sourcearn': rule ?? '' })
  return told.flatMap((resource) => {
    const action = resource.includes(':lambda:') ? 'lambda:InvokeFunction' : 'sqs:SendMessage'
    const send = { by: serviceOf('events'), action, resource }
    return [
      { why: `${id} sends an event`, ...send, context: from(attributes.Arn) },
      { why: `another rule than ${id}`, ...send, context: from(`arn:aws:events:${region}:${accountId}:rule/another`), denied: true },
    ]
  })
}

/**
 * A job of MediaConvert takes the role that stands for it, reads an original, and writes a preview and the files of a stream, nothing else.
 * Source: MediaConvert User Guide, "Cross-service confused deputy prevention".
 */
function transcoderAccesses(
  { id, attributes }: DeployedResource,
  resources: readonly DeployedResource[],
  { accountId }: Place,
): Expected[] {
  const service = serviceOf('mediaconvert')
  const isJobs = ({ type, properties }: DeployedResource) =>
    type === 'AWS::IAM::Role' && properties.AssumeRolePolicyDocument.Statement.some(({ Principal }: Json) => Principal.Service === service)
  const role = resources.find(isJobs)?.attributes.Arn ?? ''
  const bucket = (name: string) => resources.find(({ id, type }) => type === 'AWS::S3::Bucket' && id.startsWith(name))?.attributes.Arn
  const [media, publicFiles] = [bucket('StorageMedia'), bucket('StoragePublic')]
  const file = { companyId: toCompanyId(1), mediaId: toMediaId(2) }
  const encodingId = toEncodingId('0'.repeat(32))
  const take = { by: service, action: 'sts:AssumeRole', resource: role }
  const from = (queue: string) => ({ 'aws:sourcearn': queue, 'aws:sourceaccount': accountId })
  const job = { why: `a job of ${id}`, by: roleAt(role, resources) }
  return [
    { why: `a job of ${id} runs`, ...take, context: from(attributes.Arn ?? '') },
    { why: `a job of another queue than ${id} runs`, ...take, context: from(`${attributes.Arn}-2`), denied: true },
    { ...job, action: 's3:GetObject', resource: `${media}/${objectKeys.original(file)}` },
    { ...job, action: 's3:PutObject', resource: `${media}/${videoObjects.preview(file, encodingId)}` },
    { ...job, action: 's3:PutObject', resource: `${publicFiles}/${videoObjects.stream(encodingId)}${LADDER}` },
    { ...job, action: 's3:PutObject', resource: `${media}/${objectKeys.original(file)}`, denied: true },
    { ...job, action: 's3:PutObject', resource: `${publicFiles}/acme/${encodingId}`, denied: true },
  ]
}

/** The gateway takes the role of each method of the API's document, and invokes that method's function with it, but no function of no method. */
function gatewayAccesses({ id, properties }: DeployedResource, resources: readonly DeployedResource[]): Expected[] {
  const action = 'lambda:InvokeFunction'
  const methods = Object.entries<Record<string, Json>>(properties.Body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const integration: { uri: string; credentials: string } | undefined = operation['x-amazon-apigateway-integration']
      return integration ? [{ why: `the gateway takes ${verb} ${path}`, ...integration }] : []
    }),
  )
  const behind = methods.map(({ why, uri, credentials }) => ({
    why,
    role: credentials,
    resource: uri.split('/functions/')[1]!.split('/')[0]!,
  }))
  const others = resources.filter(
    ({ type, attributes }) => type === 'AWS::Lambda::Function' && !behind.some(({ resource }) => resource === attributes.Arn),
  )
  return [
    ...behind.flatMap(({ why, role, resource }) => [
      { why, by: serviceOf('apigateway'), action: 'sts:AssumeRole', resource: role },
      { why, by: roleAt(role, resources), action, resource },
    ]),
    ...[...new Set(behind.map(({ role }) => role))].flatMap((role) =>
      others.map(({ id: other, attributes }) => ({
        why: `${id} has no method of ${other}`,
        by: roleAt(role, resources),
        action,
        resource: attributes.Arn!,
        denied: true,
      })),
    ),
  ]
}

type Right = Pick<Expected, 'action' | 'resource' | 'context'>

/** A distribution reads the buckets and asks the functions that it is the front of; nobody else's distribution does. */
function distributionAccesses({ id, ref, properties }: DeployedResource, resources: readonly DeployedResource[], place: Place): Expected[] {
  const { Origins, CacheTagConfig } = properties.DistributionConfig
  const origins: { DomainName: string; OriginPath?: string; OriginAccessControlId?: string }[] = Origins
  const from = (distribution: string) => ({ 'aws:sourcearn': `arn:aws:cloudfront::${place.accountId}:distribution/${distribution}` })
  return origins
    .filter(({ OriginAccessControlId }) => OriginAccessControlId)
    .flatMap(({ DomainName, OriginPath }): Right[] => {
      const url = resources.find(
        ({ type, attributes }) => type === 'AWS::Lambda::Url' && attributes.FunctionUrl?.includes(`//${DomainName}/`),
      )
      if (url) return functionUrlRights(url.properties.TargetFunctionArn)
      const bucket = resources.find((each) => each.type === 'AWS::S3::Bucket' && DomainName === `${each.id}.RegionalDomainName`)
      const path = OriginPath ? `${OriginPath}/index.html` : '/1/2/original'
      const read = { action: 's3:GetObject', resource: `${bucket?.attributes.Arn}${path}` }
      // Links end, and player and console have few files: only who may list a bucket is told that an object isn't there.
      return CacheTagConfig || OriginPath ? [read, { action: 's3:ListBucket', resource: bucket?.attributes.Arn ?? '' }] : [read]
    })
    .flatMap(({ context, ...access }) => {
      const asked = { by: serviceOf('cloudfront'), ...access }
      return [
        { why: `${id} delivers`, ...asked, context: { ...context, ...from(ref) } },
        { why: `another distribution than ${id}`, ...asked, context: { ...context, ...from('another') }, denied: true },
      ]
    })
}

/** What a call of a function URL asks for. Source: AWS Lambda Developer Guide, "Control access to Lambda function URLs". */
function functionUrlRights(resource: string): Right[] {
  return [
    { action: 'lambda:InvokeFunctionUrl', resource, context: { 'lambda:functionurlauthtype': 'AWS_IAM' } },
    { action: 'lambda:InvokeFunction', resource, context: { 'lambda:invokedviafunctionurl': 'true' } },
  ]
}

function alarmAccesses({ id, properties }: DeployedResource, { accountId }: Place): Expected[] {
  const topics = new Set<string>([...(properties.AlarmActions ?? []), ...(properties.OKActions ?? [])])
  const publish = { by: serviceOf('cloudwatch'), action: 'sns:Publish' }
  return [...topics].flatMap((resource) => [
    { why: `${id} goes off`, ...publish, resource, context: { 'aws:sourceaccount': accountId } },
    {
      why: `an alarm of another account than that of ${id}`,
      ...publish,
      resource,
      context: { 'aws:sourceaccount': 'another' },
      denied: true,
    },
  ])
}

/** Nothing that holds data may be reached without TLS, whatever rights somebody has. */
function plainHttpAccesses({ id, type, attributes }: DeployedResource): Expected[] {
  const context = { 'aws:securetransport': 'false' }
  const asked = { why: `${id} by plain HTTP`, by: ALL_RIGHTS, context, denied: true }
  const { Arn: arn = attributes.TopicArn ?? '' } = attributes
  if (type === 'AWS::SQS::Queue') return [{ ...asked, action: 'sqs:SendMessage', resource: arn }]
  if (type === 'AWS::SNS::Topic') return [{ ...asked, action: 'sns:Publish', resource: arn }]
  if (type !== 'AWS::S3::Bucket') return []
  return [
    { ...asked, action: 's3:ListBucket', resource: arn },
    { ...asked, action: 's3:GetObject', resource: `${arn}/1/2/original` },
  ]
}

/** `role:<logical id>` of the role of this ARN. */
export function roleAt(arn: string | undefined, resources: readonly DeployedResource[]): string {
  const role = resources.find(({ type, attributes }) => type === 'AWS::IAM::Role' && attributes.Arn === arn)
  return `role:${role?.id}`
}
