import { type CfnElement, Stack, Validations } from 'aws-cdk-lib'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { IConstruct } from 'constructs'

/**
 * Accepts what the rule packs (cdk-nag, test/infra/aws/stack/rule-packs.test.ts) find on a construct and everything in it.
 * @param reasons by the rule's name: why it doesn't hold here
 */
export function acceptFindings(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })))
}

/**
 * Accepts that policies of a construct, and of everything in it, name objects of a bucket by a wildcard.
 * @param keys as in the policies: `profiles/*`
 */
export function acceptWildcards(construct: IConstruct, bucket: IBucket, keys: readonly string[], reason: string): void {
  const made = bucket.node.defaultChild as CfnElement | undefined
  const arn = made ? `<${Stack.of(bucket).getLogicalId(made)}.Arn>` : `arn:<AWS::Partition>:s3:::${bucket.bucketName}`
  for (const each of keys) acceptFindings(construct, { [`AwsSolutions-IAM5[Resource::${arn}/${each}]`]: reason })
}
