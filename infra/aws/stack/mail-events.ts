import { Duration } from 'aws-cdk-lib'
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'

/**
 * What SES tells EventBridge of the e-mails of this stack: bounces, complaints and refusals. Delays aren't told: an e-mail that is late arrives in the
 * end, or bounces.
 */
export class MailEvents extends Construct {
  /** The name of the configuration set with which all e-mails are sent. */
  readonly configurationSetName: string
  /** Takes these events of the default bus. What consumes them is its target. */
  readonly rule: Rule
  /** E-mails that failed in an hour. */
  readonly failures: IMetric

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const set = new ConfigurationSet(this, 'ConfigurationSet')
    this.configurationSetName = set.configurationSetName
    set.addEventDestination('Failures', {
      // SES sends its events to the default bus only.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    })
    this.rule = new Rule(this, 'Rule', {
      description: 'E-mails of this stack that failed',
      eventPattern: { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSetName] } } } },
    })
    this.failures = new Metric({
      ...{ namespace: 'AWS/Events', metricName: 'TriggeredRules', dimensionsMap: { RuleName: this.rule.ruleName } },
      ...{ period: Duration.hours(1), statistic: Stats.SUM },
    })
  }
}
