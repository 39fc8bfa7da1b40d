import { randomBytes, randomUUID } from 'node:crypto'
import { DeleteParameterCommand, GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll } from 'vitest'
import { parameterKeys } from '../../../shared/backends/secrets/parameters.ts'
import { newSigningKey } from '../../../shared/backends/secrets/signing-key.ts'
import { secretsContract } from './contract.ts'

const client = new SSMClient()
const made: string[] = []

/** @returns its ARN */
async function put(Value: string, Name = `/contract/${randomUUID()}`): Promise<string> {
  await client.send(new PutParameterCommand({ Name, Value, Type: 'SecureString', Overwrite: true }))
  made.push(Name)
  return (await client.send(new GetParameterCommand({ Name }))).Parameter!.ARN!
}

async function remove(): Promise<void> {
  for (const Name of new Set(made.splice(0))) await client.send(new DeleteParameterCommand({ Name })).catch(() => undefined)
}

afterAll(() => client.destroy())

secretsContract('Parameter Store', async () => {
  const arns = { apiSecretsKey: await put(randomBytes(32).toString('base64')), urlSigningKey: await put(newSigningKey()) }
  return { secrets: parameterKeys({ arns, client }), close: remove }
})
