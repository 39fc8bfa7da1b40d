import { EventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/**
 * What SES tells of the e-mails of this stack: bounces, complaints and refusals go through EventBridge into a queue. Delays aren't told: an
 * e-mail that is late arrives in the end, or bounces.
 */
export class MailEvents extends Construct {
  /** Of the configuration set that all e-mails are sent with. */
  readonly configurationSetName: string

  constructor(scope: Construct, id: string, { queue, deadLetters }: { queue: IQueue; deadLetters: IQueue }) {
    super(scope, id)
    const set = new ConfigurationSet(this, 'ConfigurationSet')
    this.configurationSetName = set.configurationSetName
    set.addEventDestination('Failures', {
      // SES sends its events to the default bus only.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    })
    const target: IRuleTarget = { bind: () => ({ arn: queue.queueArn, deadLetterConfig: { arn: deadLetters.queueArn } }) }
    const rule = new Rule(this, 'Rule', {
      description: 'E-mails of this stack that failed',
      // The bus has the events of all that the account sends.
      eventPattern: { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSetName] } } } },
      targets: [target],
    })
    // CDK's own target for queues would grant more than sending.
    for (const each of [queue, deadLetters]) {
      each.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal('events.amazonaws.com')],
          actions: ['sqs:SendMessage'],
          resources: [each.queueArn],
          conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
        }),
      )
    }
  }
}
