import { Duration, Stack } from 'aws-cdk-lib'
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway'
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  SearchExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { FAILED_JOBS } from '../../../shared/library/jobs/operator.ts'
import { FAILING_WEBHOOKS } from '../../../shared/library/webhooks/health.ts'
import { acceptFindings } from './accepted-findings.ts'

const period = Duration.minutes(5)

export interface Observed {
  api: RestApiBase
  table: ITable
  /** The queue of what runs failed on. */
  failedRuns: IQueue
  /** Logs while jobs have failed, and while targets of webhooks fail. */
  wakeJobs: LambdaFunction | undefined
  /** Renders the pictures of links. */
  renderer: LambdaFunction
  /** E-mails that failed in an hour. */
  mailFailures: IMetric
  /** The address that gets e-mails of alarms. */
  alarmEmail?: string | undefined
  /** Whether there is a dashboard, which costs more than all alarms. */
  hasDashboard: boolean
}

/** A dashboard where it is wanted, and alarms for what needs an operator: failed runs and failing answers. */
export class Observability extends Construct {
  readonly alarms: Topic

  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id)
    this.alarms = this.alarmTopic(observed.alarmEmail)
    this.alarm('runs-parked', {
      description: `A scheduled run, or a consumer of the table's changes or of what services of AWS tell, failed for good. What it failed on is kept for 14 days at least, and letters in ${observed.failedRuns.queueName} tell of it. Remove the cause, then let the command "failed-runs retry" do it. See "Jobs, events and schedules" in infra/guides/operate-a-stack.md.`,
      metric: observed.failedRuns.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM }),
    })
    if (observed.wakeJobs) {
      this.alarm('jobs-failed', {
        description: 'Jobs failed for a quarter of an hour, and are tried again every hour. "admin jobs list --state failed" says of what.',
        metric: this.logged('FailedJobs', FAILED_JOBS, observed.wakeJobs.logGroup),
      })
      this.alarm('webhooks-failing', {
        description:
          'Webhooks of companies have failed for more than an hour. "admin webhook list" names them; see "Webhooks that fail" in infra/guides/trouble.md.',
        metric: this.logged('FailingWebhooks', FAILING_WEBHOOKS, observed.wakeJobs.logGroup),
      })
    }
    this.alarm('api-errors', {
      description:
        'The API answered with 5xx. Look for "unexpected error" in its log; searches count, too, that are refused while a large index is built.',
      metric: observed.api.metricServerError({ period, statistic: Stats.SUM }),
      threshold: 5,
    })
    this.alarm('render-errors', {
      description: 'Pictures of links could not be rendered. Look at the log of the function that renders them.',
      metric: failedRenders(observed.renderer),
      threshold: 20,
    })
    this.alarm('render-costs', {
      description:
        'Rendering pictures of links took five executions for a whole hour, $0.70 by list prices in the USA. Anybody can ask for other sizes of a link; renderConcurrency is the limit.',
      metric: observed.renderer.metricDuration({ period: Duration.hours(1), statistic: Stats.SUM }),
      threshold: 5 * Duration.hours(1).toMilliseconds(),
    })
    this.alarm('stopped-loops', {
      description:
        'Lambda stopped a function of this account that seemed to start itself without end. What it was to do became a dead letter, or comes again when the sweep queues it.',
      metric: new MathExpression({
        expression: 'SELECT SUM(RecursiveInvocationsDropped) FROM SCHEMA("AWS/Lambda", FunctionName)',
        usingMetrics: {},
        period,
      }),
    })
    this.alarm('mail-failures', {
      description:
        'Five e-mails within an hour did not arrive, or were called spam. Look at them with the command "mail failures": SES stops sending for an account with too many.',
      metric: observed.mailFailures,
      threshold: 5,
    })
    if (observed.hasDashboard) this.dashboard(observed)
  }

  private alarmTopic(email: string | undefined): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: `${Stack.of(this).stackName} alarms`, enforceSSL: true })
    // A policy of the topic replaces the default policy, which lets alarms of the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    if (email) topic.addSubscription(new EmailSubscription(email))
    acceptFindings(topic, {
      'Serverless-SNSRedrivePolicy': 'Mail that does not arrive is repeated by the next alarm, and CloudWatch shows every alarm.',
    })
    return topic
  }

  /** How often a log says something. It has no values, and costs nothing, while it doesn't. */
  private logged(metricName: string, message: string, logGroup: ILogGroup): IMetric {
    const filter = new MetricFilter(this, metricName, {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', message),
      metricNamespace: Stack.of(this).stackName,
      metricName,
    })
    return filter.metric({ period, statistic: Stats.SUM })
  }

  private alarm(id: string, { description, metric, threshold = 1 }: { description: string; metric: IMetric; threshold?: number }): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: description,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    const action = new SnsAction(this.alarms)
    alarm.addAlarmAction(action)
    alarm.addOkAction(action)
  }

  private dashboard({ api, table, failedRuns, renderer }: Observed): void {
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12, height: 6 })
    new Dashboard(this, 'Dashboard', {
      // Dashboards are global to the account.
      dashboardName: `${Stack.of(this).stackName}-${Stack.of(this).region}`,
      widgets: [
        [
          graph(
            'API latency, ms',
            ['p50', 'p95', 'p99'].map((statistic) => api.metricLatency({ period, statistic, label: statistic })),
          ),
          graph('API requests and errors', [
            api.metricCount({ period, label: 'requests' }),
            api.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
            api.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
          ]),
        ],
        [
          graph(
            'Renders of links, ms',
            ['p50', 'p95', 'p99'].map((statistic) => renderer.metricDuration({ period, statistic, label: statistic })),
          ),
          graph('Renders of links', [
            renderer.metricInvocations({ period, statistic: Stats.SUM, label: 'renders' }),
            failedRenders(renderer).with({ label: '5xx' }),
            renderer.metricThrottles({ period, statistic: Stats.SUM, label: 'throttles' }),
          ]),
        ],
        [graph('Function errors', [this.perFunction('Errors')]), graph('Function throttles', [this.perFunction('Throttles')])],
        [
          graph('Age of changes when they are handled, ms', [this.perFunction('IteratorAge', Stats.MAXIMUM)]),
          graph('Failed runs', [
            failedRuns.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM, label: 'letters' }),
          ]),
        ],
        [
          graph('Table throttles', [tableMetric(table, 'ReadThrottleEvents'), tableMetric(table, 'WriteThrottleEvents')]),
          graph('Table capacity used', [tableMetric(table, 'ConsumedReadCapacityUnits'), tableMetric(table, 'ConsumedWriteCapacityUnits')]),
        ],
      ],
    })
  }

  /** A metric of every function of this stack, found by the words of the stack's name: a list of all functions is too long for a dashboard. */
  private perFunction(metric: string, statistic: string = Stats.SUM): IMetric {
    const words = Stack.of(this).stackName.split('-')
    const named = words.map((word) => `FunctionName=${word}`).join(' ')
    const expression = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" ${named}', '${statistic}', ${period.toSeconds()})`
    return new SearchExpression({ expression, period, label: '' })
  }
}

/** Answers of the function's URL with 5xx. */
function failedRenders(renderer: LambdaFunction): Metric {
  return renderer.metric('Url5xxCount', { period, statistic: Stats.SUM })
}

function tableMetric(table: ITable, metricName: string): IMetric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table.tableName },
    period,
    statistic: Stats.SUM,
    label: metricName,
  })
}
