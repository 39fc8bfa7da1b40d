import { GetSecretValueCommand, SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager'
import { requestLimits } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { keyValuesOfText } from './key-values.ts'
import { knownValues } from './known-values.ts'
import type { Secrets } from './port.ts'

export interface SecretsManagerOptions<Name extends string> {
  /** ARNs of the secrets that the function may read. */
  arns: Readonly<Record<Name, string>>
  client?: SecretsManagerClient
  clock?: Clock
}

/** A client with time limits on its requests. */
export function secretsManagerClient(config: SecretsManagerClientConfig = {}): SecretsManagerClient {
  return new SecretsManagerClient({ requestHandler: requestLimits(3000), ...config })
}

/** Reads the operator's own secrets from Secrets Manager. */
export function secretsManager<Name extends string>({
  arns,
  client = secretsManagerClient(),
  clock = systemClock,
}: SecretsManagerOptions<Name>): Secrets<Name> {
  return knownValues(async (name) => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arns[name] }))
    if (!SecretString) throw new Error(`The secret ${name} has no text value`)
    return keyValuesOfText(SecretString)
  }, clock)
}
