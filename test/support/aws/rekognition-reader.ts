import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { botocore } from './stack-botocore.ts'
import { deniedTo } from './stack-rights.ts'

/** Of the function that asks Rekognition about the pictures of a bucket. */
const roles = `
pages = session.create_client('lambda').get_paginator('list_functions').paginate()
answer = [function['Role'] for page in pages for function in page['Functions']
          if function['FunctionName'].endswith('-short-jobs') and function['Environment']['Variables']['MEDIA_BUCKET'] == asked]`

/**
 * Reads a picture for Rekognition, with the rights of the function that asks about it: the emulator judges them.
 * @param environment names the account to the AWS SDK
 * @throws Error that names what the function may not
 */
export async function readForFunction(s3: S3Client, bucket: string, key: string, environment: NodeJS.ProcessEnv): Promise<Buffer> {
  const [role = ''] = (await botocore(roles, bucket, environment)) as string[]
  const rights = [
    ['rekognition:DetectLabels', '*'],
    ['s3:GetObject', `arn:aws:s3:::${bucket}/${key}`],
  ] as const
  const denied = await deniedTo(role, rights, environment)
  if (denied.length > 0) throw new Error(`the role ${role} may not ${denied.join(', ')}`)
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  return Buffer.from(await Body!.transformToByteArray())
}
