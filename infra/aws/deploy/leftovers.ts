import { CloudFormationClient, DescribeStacksCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm'
import { parameterName } from '../../../shared/backends/secrets/parameters.ts'
import { keyParameterArn } from '../../homes/key-parameters.ts'

/** What a first deployment with `retain` leaves when it is rolled back. It holds nothing of users. */
const kinds = [
  { of: /^AWS::DynamoDB::Table StorageTable/, setting: 'adoptTable', what: 'table' },
  { of: /^AWS::S3::Bucket StorageMedia/, setting: 'adoptMediaBucket', what: 'bucket' },
  { of: /^AWS::S3::Bucket StoragePublic/, setting: 'adoptPublicBucket', what: 'bucket' },
] as const

interface Clients {
  cloudFormation: CloudFormationClient
  ssm: Pick<SSMClient, 'send'>
}

/**
 * Says what is left of a first deployment that was rolled back, and what to do with it.
 * @returns sentences; none where nothing is left
 */
export async function leftoversOf(
  stackName: string,
  clients: Clients = { cloudFormation: new CloudFormationClient({ maxAttempts: 2 }), ssm: new SSMClient({ maxAttempts: 2 }) },
): Promise<string[]> {
  const client = clients.cloudFormation
  const left: { setting: string; what: string; id: string }[] = []
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName })) {
    for (const { ResourceStatus, ResourceType, LogicalResourceId, PhysicalResourceId: id } of StackResourceSummaries) {
      const kind = kinds.find(({ of }) => of.test(`${ResourceType} ${LogicalResourceId}`))
      if (kind && id && ResourceStatus === 'DELETE_SKIPPED') left.push({ ...kind, id })
    }
  }
  const key = await keptKey(stackName, clients)
  if (key) left.push({ setting: 'adoptApiSecretsKeyArn', what: 'parameter', id: key })
  if (left.length === 0) return []
  return [
    'The first deployment was rolled back. As it was to retain its data, these stay:',
    ...left.map(({ what, id }) => `  ${what} ${id}`),
    'To have the next deployment take them:',
    `  npm run deploy -- -c stackName=${stackName} -c retain=true ${left.map(({ setting, id }) => `-c ${setting}=${id}`).join(' ')}`,
    'Or delete them in the consoles of DynamoDB (where the protection from deletion is turned off first), S3 and Systems Manager:',
    'nobody has stored anything in them yet.',
  ]
}

/** The ARN of the parameter with the key to API secrets, which no resource of the stack is. */
async function keptKey(StackName: string, { cloudFormation, ssm }: Clients): Promise<string | undefined> {
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }))
  const arn = keyParameterArn(Stacks![0]!.StackId!, 'apiSecretsKey')
  const isThere = await ssm.send(new GetParameterCommand({ Name: parameterName(arn) })).then(
    () => true,
    (error) => {
      if (error instanceof ParameterNotFound) return false
      throw error
    },
  )
  return isThere ? arn : undefined
}
