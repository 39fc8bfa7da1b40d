import { randomUUID } from 'node:crypto'
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from './patient-client.ts'

/** A stack on the emulator. */
export interface TemporaryStack {
  name: string
  remove(): Promise<void>
}

/** Makes a stack of a template under a name of its own. */
export async function makeStack(template: object): Promise<TemporaryStack> {
  const name = `library-${randomUUID().slice(0, 8)}`
  const client = new CloudFormationClient()
  const waiting = { client, minDelay: 1, maxDelay: 2, maxWaitTime: 60 }
  await client.send(new CreateStackCommand({ StackName: name, TemplateBody: JSON.stringify(template), Capabilities: ['CAPABILITY_IAM'] }))
  await waitUntilStackCreateComplete(waiting, { StackName: name })
  return {
    name,
    async remove() {
      await client.send(new DeleteStackCommand({ StackName: name }))
      await waitUntilStackDeleteComplete(waiting, { StackName: name })
      client.destroy()
    },
  }
}

/**
 * Makes the stack of a library as commands find it: its table, its buckets, and the key of its secrets. Production's is made by CDK.
 * @param outputs what else the stack says of itself
 */
export async function makeLibraryStack(outputs: Readonly<Record<string, string>> = {}): Promise<TemporaryStack> {
  const dynamo = patientClient()
  const table = await makeTemporaryTable(dynamo)
  const key = `/media-library/${randomUUID()}/apiSecretsKey`
  const stack = await makeStack({
    Resources: {
      Uploads: { Type: 'AWS::S3::Bucket' },
      Media: { Type: 'AWS::S3::Bucket' },
      Public: { Type: 'AWS::S3::Bucket' },
      Key: { Type: 'AWS::SSM::Parameter', Properties: { Name: key, Type: 'String', Value: newSealingKey() } },
    },
    Outputs: {
      TableName: { Value: table.tableName },
      ApiSecretsKeyArn: {
        Value: { 'Fn::Join': ['', ['arn:aws:ssm:', { Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, ':parameter', key]] },
      },
      UploadsBucket: { Value: { Ref: 'Uploads' } },
      MediaBucket: { Value: { Ref: 'Media' } },
      PublicBucket: { Value: { Ref: 'Public' } },
      ...Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
    },
  })
  return {
    name: stack.name,
    async remove() {
      await stack.remove()
      await table.remove()
      dynamo.destroy()
    },
  }
}
