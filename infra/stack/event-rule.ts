import { type EventPattern, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'

export interface EventRuleProps {
  description: string
  /** The default bus has the events of the whole account: the pattern names what is this stack's. */
  eventPattern: EventPattern
  queue: IQueue
  /** Gets what the queue didn't take. */
  deadLetters: IQueue
}

/** A rule `Rule` of the default bus, on which services tell what happened: events of the pattern become messages of a queue, as they are. */
export function eventRule(scope: Construct, { description, eventPattern, queue, deadLetters }: EventRuleProps): Rule {
  const target: IRuleTarget = { bind: () => ({ arn: queue.queueArn, deadLetterConfig: { arn: deadLetters.queueArn } }) }
  const rule = new Rule(scope, 'Rule', { description, eventPattern, targets: [target] })
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
  return rule
}
