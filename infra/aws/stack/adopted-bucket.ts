import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Bucket, BucketPolicy, type IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

/** A bucket that a stack before kept, with its rules. Its policy went with that stack, so it gets one of this stack's. It never goes with the stack. */
export function adoptedBucket(scope: Construct, id: string, name: string): IBucket {
  const bucket = Bucket.fromBucketName(scope, id, name)
  bucket.policy = new BucketPolicy(scope, `${id}Policy`, { bucket })
  const refuse = { effect: Effect.DENY, principals: [new AnyPrincipal()], actions: ['s3:*'] }
  const resources = [bucket.bucketArn, bucket.arnForObjects('*')]
  bucket.addToResourcePolicy(new PolicyStatement({ ...refuse, resources, conditions: { Bool: { 'aws:SecureTransport': 'false' } } }))
  return bucket
}
