import { Duration, Stack } from 'aws-cdk-lib'
import type { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  type CfnFunction,
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda'
import { S3OnFailureDestination } from 'aws-cdk-lib/aws-lambda-event-sources'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { type ChangePattern, type Happened, patternsOf } from '../../../shared/library/events/events-of.ts'
import type { BatchConsumer, NamedFunction, Schedule, TellingService } from '../../../shared/runtime/consumer.ts'
import { type ConcurrencyLimits, concurrencyOf } from './concurrency.ts'
import type { FailedRuns } from './failed-runs.ts'
import { type ServiceDefaults, serviceFunction } from './service-function.ts'

export interface EventDefaults extends ServiceDefaults {
  /** The limits of a consumer's executions at a time. */
  limits: ConcurrencyLimits
  /** ARN of the table's change stream. */
  streamArn: string
  failedRuns: FailedRuns
  /** Rules of EventBridge that take what services tell. */
  rules: Readonly<Record<TellingService, Rule>>
}

/** The names of changes in the stream. */
const recordEvents: Readonly<Record<Happened, string>> = { created: 'INSERT', changed: 'MODIFY', removed: 'REMOVE' }
/** Most filters of an event source mapping. */
const MAX_FILTERS = 5

/** One function that no HTTP call starts, with what starts it and where its failures end. */
export class EventLambda extends Construct {
  readonly lambda: LambdaFunction
  /** The source of its events. Rules of services are older than their consumer. */
  readonly source?: Construct

  constructor(scope: Construct, fn: NamedFunction, defaults: EventDefaults) {
    super(scope, fn.name)
    const { trigger } = fn
    if ('origin' in trigger) throw new Error(`${fn.name}: an origin answers requests (link-renderer.ts)`)
    if ('job' in trigger) throw new Error(`${fn.name}: jobs share functions (job-function.ts)`)
    const { failedRuns, streamArn, rules } = defaults
    if ('batchesOf' in trigger) {
      this.lambda = this.lambdaOf(fn, defaults, [...failedRuns.keepChanges(), readStream(streamArn)])
      this.source = this.followChanges(fn, trigger, defaults)
      return
    }
    this.lambda = this.lambdaOf(fn, defaults, [failedRuns.sendLetters()])
    // Gets the event of a run that failed three times.
    const definition = this.lambda.node.defaultChild as CfnFunction
    definition.deadLetterConfig = { targetArn: failedRuns.letters.queueArn }
    if ('everyMinutes' in trigger) this.source = this.runBySchedule(fn, trigger)
    else {
      const target = new FunctionTarget(this.lambda, { deadLetterQueue: failedRuns.letters })
      for (const service of trigger.services) rules[service].addTarget(target)
    }
  }

  private lambdaOf(fn: NamedFunction, defaults: EventDefaults, statements: PolicyStatement[]): LambdaFunction {
    const { name, summary, uses, timeoutSeconds, memoryMb, temporaryMb } = fn
    const size = { ...(memoryMb ? { memoryMb } : {}), ...(temporaryMb ? { temporaryMb } : {}) }
    return serviceFunction(this, { key: name, description: summary, uses, timeoutSeconds, ...size, statements }, defaults)
  }

  private followChanges(fn: NamedFunction, trigger: BatchConsumer['trigger'], { streamArn, limits, failedRuns }: EventDefaults): Construct {
    const patterns = patternsOf(trigger.batchesOf)
    if (patterns.length > MAX_FILTERS)
      throw new Error(`${fn.name}: its events take ${patterns.length} filters of the stream, of at most ${MAX_FILTERS}`)
    const parallelism = concurrencyOf(fn, limits)
    return new EventSourceMapping(this, 'Source', {
      target: this.lambda,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      filters: patterns.map(filterOf),
      ...(parallelism !== undefined && parallelism > 1 ? { parallelizationFactor: parallelism } : {}),
      bisectBatchOnError: true,
      // Changes that fail become jobs. A change on which the function dies holds up all of its shard that follow: for some minutes, with back-off. Changes
      // wait behind it, and for a function that can't be started, as long as the stream surely has them: it forgets after a day. What is given up is kept.
      retryAttempts: 10,
      maxRecordAge: Duration.hours(20),
      onFailure: new S3OnFailureDestination(failedRuns.changes),
    })
  }

  private runBySchedule(fn: NamedFunction, { everyMinutes }: Schedule['trigger']): Construct {
    const { account } = Stack.of(this)
    const role = new Role(this, 'ScheduleRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': account } } }),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [this.lambda.functionArn] })],
        }),
      },
    })
    return new CfnSchedule(this, 'Schedule', {
      description: fn.summary,
      scheduleExpression: `rate(${everyMinutes} minute${everyMinutes === 1 ? '' : 's'})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: this.lambda.functionArn,
        roleArn: role.roleArn,
        retryPolicy: { maximumEventAgeInSeconds: Math.min(Duration.minutes(everyMinutes).toSeconds(), 86_400), maximumRetryAttempts: 3 },
      },
    })
  }
}

function filterOf({ pk, sk, happened }: ChangePattern) {
  const keys = { ...(pk ? { pk: { S: [pk] } } : {}), sk: { S: sk } }
  return FilterCriteria.filter({ eventName: happened.map((each) => recordEvents[each]), dynamodb: { Keys: keys } })
}

function readStream(streamArn: string): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    resources: [streamArn],
  })
}
