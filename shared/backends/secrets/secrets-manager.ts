import { GetSecretValueCommand, SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager'
import { requestLimits } from '../aws/request-limits.ts'
import type { Secrets } from './port.ts'

export interface SecretsManagerOptions<Name extends string> {
  /** ARNs of the secrets that the function may read. */
  arns: Readonly<Record<Name, string>>
  client?: SecretsManagerClient
}

/** A client with time limits on its requests. */
export function secretsManagerClient(config: SecretsManagerClientConfig = {}): SecretsManagerClient {
  return new SecretsManagerClient({ requestHandler: requestLimits(3000), ...config })
}

/** Reads secrets from Secrets Manager, each once in the life of the process. A failed read is repeated by the next call. */
export function secretsManager<Name extends string>({ arns, client = secretsManagerClient() }: SecretsManagerOptions<Name>): Secrets<Name> {
  const known = new Map<Name, Promise<string>>()

  async function read(name: Name): Promise<string> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arns[name] }))
    if (!SecretString) throw new Error(`The secret ${name} has no text value`)
    return SecretString
  }

  return {
    get(name) {
      let value = known.get(name)
      if (!value) {
        value = read(name)
        value.catch(() => known.delete(name))
        known.set(name, value)
      }
      return value
    },
  }
}
