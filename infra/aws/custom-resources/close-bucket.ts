import { GetBucketPolicyCommand, PutBucketPolicyCommand, type S3Client } from '@aws-sdk/client-s3'
import * as z from 'zod'
import { isNamed } from './s3-errors.ts'

/** Id of the statement that closes a bucket. */
const CLOSED = 'StackIsBeingDeleted'

const Policy = z.looseObject({ Version: z.string().optional(), Statement: z.array(z.looseObject({ Sid: z.string().optional() })) })

/**
 * Refuses all writes to a bucket from now on: upload forms that were handed out are valid for an hour, and requests may be running. Other
 * statements of its policy stay. A missing bucket counts as closed.
 * @param partition of AWS, as in ARNs: `aws`, or another in China
 */
export async function closeBucket(client: S3Client, bucket: string, partition: string): Promise<void> {
  try {
    const { Statement, ...policy } = await policyOf(client, bucket)
    const refusal = {
      Sid: CLOSED,
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:PutObject',
      Resource: `arn:${partition}:s3:::${bucket}/*`,
    }
    const closed = { ...policy, Statement: [...Statement.filter(({ Sid }) => Sid !== CLOSED), refusal] }
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(closed) }))
  } catch (error) {
    if (!isNamed(error, 'NoSuchBucket')) throw error
  }
}

async function policyOf(client: S3Client, bucket: string): Promise<z.output<typeof Policy>> {
  try {
    const { Policy: text } = await client.send(new GetBucketPolicyCommand({ Bucket: bucket }))
    return Policy.parse(JSON.parse(text ?? ''))
  } catch (error) {
    if (isNamed(error, 'NoSuchBucketPolicy')) return { Version: '2012-10-17', Statement: [] }
    throw error
  }
}
