import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Bucket, type CfnBucket } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { acceptFindings, acceptWildcards } from './accepted-findings.ts'
import { privateBucket } from './storage.ts'

/** Keys of what Lambda keeps. Source: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event source". */
const KEPT = 'aws/lambda/*'

/** Days for which given up changes are kept: fewer than the feed remembers what it was told (shared/library/feed/append.ts). */
const KEPT_DAYS = 21

/**
 * What functions failed on for good, until the command `failed-runs retry` has them do it (infra/admin/failed-runs/). Letters are the events of
 * schedules and of services, and notices of the changes in the bucket. One queue and one alarm for all: each letter says what it is of.
 */
export class FailedRuns extends Construct {
  /** They wait as long as SQS keeps anything. Alarmed on by observability.ts. */
  readonly letters: Queue
  /** Changes of the table that consumers gave up, as Lambda gave them to those: whole. They go with the stack, as the letters do. */
  readonly changes: Bucket

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.letters = new Queue(this, 'failed-runs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      retentionPeriod: Duration.days(14),
    })
    const isTheEnd = 'It holds dead letters itself.'
    acceptFindings(this.letters, { 'AwsSolutions-SQS3': isTheEnd, 'Serverless-SQSRedrivePolicy': isTheEnd })
    this.changes = new Bucket(this, 'failed-changes', {
      ...privateBucket,
      lifecycleRules: [{ expiration: Duration.days(KEPT_DAYS) }],
      removalPolicy: RemovalPolicy.DESTROY,
    })
    acceptFindings(this.changes, { 'AwsSolutions-S1': 'Lambda writes it, and an operator reads it.' })
    acceptWildcards(Stack.of(this), this.changes, ['*', KEPT], 'Lambda makes the names of what it keeps.')
    this.tellOfChanges()
  }

  /** The rights of a function of which Lambda keeps what it gave up, in the bucket of this account. */
  keepChanges(): PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['s3:PutObject'],
        resources: [this.changes.arnForObjects(KEPT)],
        conditions: { StringEquals: { 's3:ResourceAccount': Stack.of(this).account } },
      }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.changes.bucketArn] }),
    ]
  }

  /** The right of a function of which Lambda sends a letter. */
  sendLetters(): PolicyStatement {
    return new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.letters.queueArn] })
  }

  /** By EventBridge, because S3 itself would send a test message, which raises the alarm. */
  private tellOfChanges(): void {
    // CDK's own setting would make a function for this.
    const definition = this.changes.node.defaultChild as CfnBucket
    definition.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } }
    const rule = new Rule(this, 'Kept', {
      description: 'Changes that were given up',
      eventPattern: { source: ['aws.s3'], detailType: ['Object Created'], detail: { bucket: { name: [this.changes.bucketName] } } },
      targets: [{ bind: () => ({ arn: this.letters.queueArn }) }],
    })
    acceptFindings(rule, { 'Serverless-EventBusDLQ': 'A notice that is lost loses no change: the command looks into the bucket.' })
    // CDK's own target for queues would grant more than sending.
    this.letters.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.letters.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
      }),
    )
  }
}
