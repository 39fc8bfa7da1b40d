import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'

/** Errors of AWS that say that it doesn't know who asks. Source: "Common errors" of the services' API references. */
const refusals = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
])

/**
 * Asks whether the stack is there already.
 * @returns undefined where CloudFormation doesn't tell
 * @throws Error in a sentence where there are no credentials, or AWS takes none of them
 */
export async function isDeployed(client: Pick<CloudFormationClient, 'send'>, stackName: string): Promise<boolean | undefined> {
  try {
    await client.send(new DescribeStacksCommand({ StackName: stackName }))
    return true
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ValidationError' && message.includes('does not exist')) return false
    if (name === 'CredentialsProviderError')
      throw new Error(
        'There are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile by --profile or AWS_PROFILE.',
      )
    if (refusals.has(name)) throw new Error(`AWS does not take these credentials: ${message} Sign in again, or name another profile.`)
    return undefined
  }
}
