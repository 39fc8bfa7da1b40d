import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'

/** What a stack says of itself, and how far it is. */
export interface StackState {
  /** As CloudFormation calls it, or `ABSENT`. */
  status: string
  outputs: Readonly<Record<string, string>>
}

/** @param environment names the account to the AWS SDK */
export async function stateOf(stack: string, environment: NodeJS.ProcessEnv = process.env): Promise<StackState> {
  const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = environment
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  const client = new CloudFormationClient({ endpoint: endpoint!, region: region!, credentials })
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }))
    const { StackStatus = '', Outputs = [] } = Stacks![0]!
    return { status: StackStatus, outputs: Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])) }
  } catch (error) {
    if (/does not exist/.test(String(error))) return { status: 'ABSENT', outputs: {} }
    throw error
  } finally {
    client.destroy()
  }
}
