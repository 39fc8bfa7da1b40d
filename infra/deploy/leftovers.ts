import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'

/** What a first deployment with `retain` leaves when it is rolled back. It holds nothing of users. */
const kinds = [
  { of: /^AWS::DynamoDB::Table StorageTable/, setting: 'adoptTable', what: 'table' },
  { of: /^AWS::S3::Bucket StorageMedia/, setting: 'adoptMediaBucket', what: 'bucket' },
  { of: /^AWS::S3::Bucket StoragePublic/, setting: 'adoptPublicBucket', what: 'bucket' },
  { of: /^AWS::SecretsManager::Secret SecretsApiSecretsKey/, setting: 'adoptApiSecretsKeyArn', what: 'secret' },
] as const

/**
 * Says what is left of a first deployment that was rolled back, and what to do with it.
 * @param client CloudFormation's
 * @returns sentences; none where nothing is left
 */
export async function leftoversOf(stackName: string, client = new CloudFormationClient({ maxAttempts: 2 })): Promise<string[]> {
  const left: { setting: string; what: string; id: string }[] = []
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName })) {
    for (const { ResourceStatus, ResourceType, LogicalResourceId, PhysicalResourceId: id } of StackResourceSummaries) {
      const kind = kinds.find(({ of }) => of.test(`${ResourceType} ${LogicalResourceId}`))
      if (kind && id && ResourceStatus === 'DELETE_SKIPPED') left.push({ ...kind, id })
    }
  }
  if (left.length === 0) return []
  return [
    'The first deployment was rolled back. As it was to retain its data, these stay:',
    ...left.map(({ what, id }) => `  ${what} ${id}`),
    'To have the next deployment take them:',
    `  npm run deploy -- -c stackName=${stackName} -c retain=true ${left.map(({ setting, id }) => `-c ${setting}=${id}`).join(' ')}`,
    'Or delete them in the consoles of DynamoDB (where the protection from deletion is turned off first), S3 and Secrets Manager:',
    'nobody has stored anything in them yet.',
  ]
}
