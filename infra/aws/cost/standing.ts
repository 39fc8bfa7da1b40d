import { sumOf, times, type Usage } from './prices.ts'

/** A template of CloudFormation, as far as it is read here. */
export interface Template {
  // biome-ignore lint/suspicious/noExplicitAny: properties of a template are JSON of any shape.
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: any }>>
}

/** The usage of one run of a function, by the function's key, without the run itself. */
export type RunUsage = Readonly<Record<string, Usage>>

/** One line of what a stack costs while nobody uses it. */
export interface Standing {
  what: string
  /** The usage of a month. */
  usage: Usage
}

const HOURS = 730
const MINUTES = HOURS * 60

/** A resource that costs by the month, as long as it is there. */
const byMonth = {
  'AWS::CloudWatch::Dashboard': ['dashboards', 'dashboard'],
} as const satisfies Record<string, readonly [keyof Usage, string]>

/** Types of resources that cost nothing while nobody uses them, or by what they hold. */
const free = new Set([
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::CloudFormation::Stack',
  'AWS::CloudFront::CachePolicy',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::KeyGroup',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::PublicKey',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  // DynamoDB charges nothing for streams that Lambda reads.
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
  'AWS::Logs::LogGroup',
  // A metric costs in the hours in which it has a value, which is while jobs have failed.
  'AWS::Logs::MetricFilter',
  'AWS::MediaConvert::Queue',
  // Records that lead to CloudFront cost nothing, and those that validate a certificate are hardly asked for.
  'AWS::Route53::RecordSet',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
])

/**
 * The idle usage of a stack in a month, without its storage.
 * @param runs what a run of each scheduled function uses
 * @throws Error for a type of resource whose price nobody has stated
 */
export function standingUsage({ Resources }: Template, runs: RunUsage): Standing[] {
  const resources = Object.values(Resources).filter(({ Type }) => !free.has(Type) && !Type.startsWith('Custom::'))
  const unknown = resources.map(({ Type }) => Type).filter((type) => !(type in byMonth) && !(type in byUse))
  if (unknown.length > 0) throw new Error(`no price is stated for ${[...new Set(unknown)].join(', ')}`)
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type)
  const monthly = Object.entries(byMonth).map(([type, [unit, name]]) => {
    const { length } = ofType(type)
    return { what: `${length} ${name}${length === 1 ? '' : 's'}`, usage: { [unit]: length } }
  })
  const alarms = ofType('AWS::CloudWatch::Alarm')
  const watched = { what: `${alarms.length} alarms`, usage: sumOf(...alarms.map(metricsOf)) }
  const schedules = ofType('AWS::Scheduler::Schedule').map(({ Properties }) => {
    const [, every = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(Properties.ScheduleExpression) ?? []
    const minutes = Number(every) * { minute: 1, hour: 60, day: 1440 }[unit as 'minute']
    const fn = Resources[Properties.Target.Arn['Fn::GetAtt'][0]]?.Properties
    const key = Object.keys(runs).find((name) => String(fn.FunctionName).endsWith(`-${name}`))
    if (key === undefined) throw new Error(`what a run of ${fn.FunctionName} uses is not counted`)
    const { gbSeconds = 0, ...rest } = runs[key]!
    return times(MINUTES / minutes, { schedulerRuns: 1, gbSeconds, ...rest })
  })
  const scheduled = { what: `runs of ${schedules.length} schedules`, usage: sumOf(...schedules) }
  return [...monthly, watched, scheduled].filter(({ usage }) => Object.values(usage).some((amount) => amount > 0))
}

/** Types of resources that cost by what they do by themselves. */
const byUse = { 'AWS::CloudWatch::Alarm': true, 'AWS::Scheduler::Schedule': true }

/** An alarm costs by the metrics that it watches, so one alarm on a sum of two queues costs what two alarms do. A query is taken to find one. */
function metricsOf({ Properties }: Template['Resources'][string]): Usage {
  const queries: readonly { MetricStat?: unknown }[] = Properties.Metrics ?? [{ MetricStat: {} }]
  const alarmMetrics = queries.filter(({ MetricStat }) => MetricStat).length
  return alarmMetrics > 0 ? { alarmMetrics } : { queriedMetrics: 1 }
}
