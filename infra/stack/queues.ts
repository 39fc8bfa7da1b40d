import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { type QueueName, queues as settings } from '../../shared/backends/queue/queues.ts'
import { acceptFindings } from './accepted-findings.ts'

const house = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy: RemovalPolicy.DESTROY }

/** A queue of what could not be processed: it waits for an operator as long as SQS keeps anything. Alarmed on by observability.ts. */
function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { ...house, retentionPeriod: Duration.days(14) })
  const isTheEnd = 'It holds dead letters itself.'
  acceptFindings(queue, { 'AwsSolutions-SQS3': isTheEnd, 'Serverless-SQSRedrivePolicy': isTheEnd })
  return queue
}

/** The queues of shared/backends/queue/queues.ts, each with its dead letters, and that of failed runs. */
export class Queues extends Construct {
  readonly byName: Readonly<Record<QueueName, Queue>>
  readonly deadLetters: Readonly<Record<QueueName, IQueue>>
  /**
   * What scheduled runs and consumers of changes failed on. One queue and one alarm for all: each letter names its function or its schedule, none
   * can be redriven, and whoever looks at one looks at the function's log.
   */
  readonly failedRuns: Queue

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const made = Object.entries(settings).map(([name, { visibilitySeconds, maxReceives }]) => {
      const dead = deadLetterQueue(this, `${name}-dead-letters`)
      const queue = new Queue(this, name, {
        ...house,
        visibilityTimeout: Duration.seconds(visibilitySeconds),
        retentionPeriod: Duration.days(14),
        deadLetterQueue: { queue: dead, maxReceiveCount: maxReceives },
      })
      return { name, queue, dead }
    })
    this.byName = Object.fromEntries(made.map(({ name, queue }) => [name, queue])) as Record<QueueName, Queue>
    this.deadLetters = Object.fromEntries(made.map(({ name, dead }) => [name, dead])) as Record<QueueName, Queue>
    this.failedRuns = deadLetterQueue(this, 'failed-runs')
  }
}
