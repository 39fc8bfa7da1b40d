import { randomUUID } from 'node:crypto'
import { CloudFrontClient, CreateDistributionCommand } from '@aws-sdk/client-cloudfront'
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { CreateConfigurationSetCommand, CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { DeployedResource, Physical } from './deployed-template.ts'

/** Makes what functions touch (table, buckets, queues, secrets, distributions, the sender of mail) as the template says. @returns what became of each */
export async function makeResources(resources: readonly DeployedResource[], mailSender: string): Promise<Record<string, Physical>> {
  using clients = new DisposableStack()
  const opened = <C extends { destroy(): void }>(client: C) => clients.adopt(client, (it) => it.destroy())
  const table = opened(new DynamoDBClient())
  const buckets = opened(new S3Client())
  const queues = opened(new SQSClient())
  const secrets = opened(new SecretsManagerClient())
  const mail = opened(new SESv2Client())
  const edges = opened(new CloudFrontClient())
  const makers: Readonly<Record<string, (resource: DeployedResource) => Promise<Physical>>> = {
    'AWS::DynamoDB::Table': (resource) => makeTable(table, resource),
    'AWS::S3::Bucket': async ({ ref, attributes }) => {
      await buckets.send(new CreateBucketCommand({ Bucket: ref }))
      return { ref, attributes }
    },
    'AWS::SQS::Queue': async ({ attributes: { QueueName = '' } }) => {
      const { QueueUrl = '' } = await queues.send(new CreateQueueCommand({ QueueName }))
      const { Attributes } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))
      return { ref: QueueUrl, attributes: { Arn: Attributes?.QueueArn ?? '', QueueName } }
    },
    'AWS::CloudFront::Distribution': async ({ attributes, properties }) => {
      const Id = await makeDistribution(edges, properties.DistributionConfig.Comment)
      return { ref: Id, attributes: { ...attributes, Id } }
    },
    'AWS::SES::ConfigurationSet': async ({ ref, attributes }) => {
      await mail.send(new CreateConfigurationSetCommand({ ConfigurationSetName: ref }))
      return { ref, attributes }
    },
    'AWS::SecretsManager::Secret': async ({ ref }) => {
      const { ARN = '' } = await secrets.send(new CreateSecretCommand({ Name: ref.slice(ref.lastIndexOf(':') + 1) }))
      return { ref: ARN, attributes: { Id: ARN } }
    },
  }
  const made: Record<string, Physical> = {}
  for (const resource of resources) {
    const physical = await makers[resource.type]?.(resource)
    if (physical) made[resource.id] = physical
  }
  await mail.send(new CreateEmailIdentityCommand({ EmailIdentity: mailSender }))
  return made
}

/** A distribution that can be told to forget; nothing is asked of it. @returns its id */
async function makeDistribution(client: CloudFrontClient, Comment: string): Promise<string> {
  const origin = { Id: 'nothing', DomainName: 'nothing.example.com', S3OriginConfig: { OriginAccessIdentity: '' } }
  const command = new CreateDistributionCommand({
    DistributionConfig: {
      CallerReference: randomUUID(),
      Comment,
      Enabled: true,
      Origins: { Quantity: 1, Items: [origin] },
      DefaultCacheBehavior: { TargetOriginId: origin.Id, ViewerProtocolPolicy: 'https-only' },
    },
  })
  return (await client.send(command)).Distribution?.Id ?? ''
}

async function makeTable(client: DynamoDBClient, { ref: TableName, properties }: DeployedResource): Promise<Physical> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode, StreamSpecification } = properties
  const input: CreateTableCommandInput = {
    TableName,
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes,
    BillingMode,
    StreamSpecification: { ...StreamSpecification, StreamEnabled: true },
  }
  await client.send(new CreateTableCommand(input))
  const { reason } = await waitUntilTableExists({ client, minDelay: 1, maxDelay: 2, maxWaitTime: 60 }, { TableName })
  return { ref: TableName, attributes: { Arn: reason.Table.TableArn, StreamArn: reason.Table.LatestStreamArn } }
}
