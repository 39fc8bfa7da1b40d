import { type CloudFormationClient, DescribeTypeCommand, TypeNotFoundException } from '@aws-sdk/client-cloudformation'
import type { DeploymentSettings } from '../stack/settings.ts'

/** Regions in which CloudFormation can make every resource of the stack, with either search engine. cfn-lint tells so (test/infra/aws/stack/cfn-lint.aws.ts). */
export const regions = [
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ca-central-1', 'eu-central-1', 'eu-north-1'],
  ...['eu-west-1', 'eu-west-2', 'eu-west-3', 'sa-east-1', 'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'],
] as const

/** Types of resources that some regions don't have, with what needs them. */
const notEverywhere: Readonly<Record<string, string>> = {
  'AWS::MediaConvert::Queue': 'MediaConvert, which encodes videos',
  'AWS::SES::ConfigurationSet': 'SES, which sends e-mails',
  'AWS::Lambda::Url': 'addresses of functions, by which pictures of links are rendered',
}
const OPEN_SEARCH = { 'AWS::OpenSearchServerless::CollectionGroup': 'OpenSearch Serverless, which searches (searchEngine)' }

/**
 * Asks CloudFormation, before anything is made, for what it can't make in the client's region.
 * @returns what the region lacks, in words
 */
export async function lackingIn(
  client: Pick<CloudFormationClient, 'send'>,
  { searchEngine }: Pick<DeploymentSettings, 'searchEngine'>,
): Promise<string[]> {
  const needed = { ...notEverywhere, ...(searchEngine === 'opensearch' && OPEN_SEARCH) }
  const lacking: string[] = []
  for (const [TypeName, service] of Object.entries(needed)) {
    try {
      await client.send(new DescribeTypeCommand({ Type: 'RESOURCE', TypeName }))
    } catch (error) {
      if (!(error instanceof TypeNotFoundException)) throw error
      lacking.push(service)
    }
  }
  return lacking
}
