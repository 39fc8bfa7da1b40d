import { Stack } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnQueue } from 'aws-cdk-lib/aws-mediaconvert'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct, type IDependable } from 'constructs'
import { acceptWildcards } from './accepted-findings.ts'

export interface TranscodingProps {
  media: IBucket
  public: IBucket
  /** The buckets, as long as they are not being emptied. */
  prepared: IDependable
}

/** Keys of what a job reads (objectKeys of shared/library/media/objects.ts) and of what it writes (shared/library/videos/objects.ts). */
const ORIGINALS = '*/original'
const PREVIEWS = '*/video/*'
const STREAMS = 'streams/*'

/** MediaConvert's resources for previews and streams of videos: a queue for jobs, their role, and the rule that tells of their ends. */
export class Transcoding extends Construct {
  /** Of MediaConvert's queue. */
  readonly queueArn: string
  readonly roleArn: string
  /** Takes the events of jobs that have ended. What consumes them is its target. */
  readonly rule: Rule

  constructor(scope: Construct, id: string, props: TranscodingProps) {
    super(scope, id)
    const { media, public: streams } = props
    // Paid by the minute of what is encoded. Nothing is paid for a queue without jobs.
    const jobs = new CfnQueue(this, 'Jobs', { description: `Videos of ${Stack.of(this).stackName}`, pricingPlan: 'ON_DEMAND' })
    this.queueArn = jobs.attrArn
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('mediaconvert.amazonaws.com', {
        // Jobs of this queue, and of nobody else's.
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account }, ArnEquals: { 'aws:SourceArn': this.queueArn } },
      }),
      inlinePolicies: {
        jobs: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['s3:GetObject'], resources: [media.arnForObjects(ORIGINALS)] }),
            new PolicyStatement({ actions: ['s3:PutObject'], resources: [media.arnForObjects(PREVIEWS), streams.arnForObjects(STREAMS)] }),
          ],
        }),
      },
    })
    for (const [bucket, keys] of [
      [media, [ORIGINALS, PREVIEWS]],
      [streams, [STREAMS]],
    ] as const)
      acceptWildcards(role, bucket, keys, 'A job names its objects; the role is limited to what jobs read and write.')
    this.roleArn = role.roleArn
    this.rule = new Rule(this, 'Rule', {
      description: 'Jobs of this stack that make previews and streams of videos and have ended',
      eventPattern: {
        source: ['aws.mediaconvert'],
        detailType: ['MediaConvert Job State Change'],
        detail: { queue: [this.queueArn], status: ['COMPLETE', 'ERROR', 'CANCELED'] },
      },
    })
    // Jobs write to the buckets by themselves.
    for (const each of [jobs, role]) each.node.addDependency(props.prepared)
  }
}
