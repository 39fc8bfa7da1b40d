import { Duration } from 'aws-cdk-lib'
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { eventRule } from './event-rule.ts'

/**
 * What SES tells of the e-mails of this stack: bounces, complaints and refusals go through EventBridge into a queue. Delays aren't told: an
 * e-mail that is late arrives in the end, or bounces.
 */
export class MailEvents extends Construct {
  /** The name of the configuration set with which all e-mails are sent. */
  readonly configurationSetName: string
  /** E-mails that failed in an hour. */
  readonly failures: IMetric

  constructor(scope: Construct, id: string, queues: { queue: IQueue; deadLetters: IQueue }) {
    super(scope, id)
    const set = new ConfigurationSet(this, 'ConfigurationSet')
    this.configurationSetName = set.configurationSetName
    set.addEventDestination('Failures', {
      // SES sends its events to the default bus only.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    })
    const rule = eventRule(this, {
      description: 'E-mails of this stack that failed',
      eventPattern: { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSetName] } } } },
      ...queues,
    })
    this.failures = new Metric({
      ...{ namespace: 'AWS/Events', metricName: 'TriggeredRules', dimensionsMap: { RuleName: rule.ruleName } },
      ...{ period: Duration.hours(1), statistic: Stats.SUM },
    })
  }
}
