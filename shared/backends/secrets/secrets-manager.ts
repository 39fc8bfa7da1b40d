import { GetSecretValueCommand, SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager'
import { requestLimits } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { keyValuesOfText } from './key-values.ts'
import type { KeyValues, Secrets } from './port.ts'

/** Milliseconds for which a process goes on with the values that it read. A rotation waits for longer before each of its steps. */
export const KNOWN_MS = 5 * 60_000

/** Milliseconds after a failed read for which a process goes on with older values, instead of making each request wait for a failure. */
const RETRY_MS = 10_000

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

/**
 * Reads secrets from Secrets Manager, each again when what is known of it is five minutes old. A failed read is repeated by the next call, or
 * leaves what is known as it is.
 */
export function secretsManager<Name extends string>({
  arns,
  client = secretsManagerClient(),
  clock = systemClock,
}: SecretsManagerOptions<Name>): Secrets<Name> {
  const known = new Map<Name, { values: Promise<KeyValues>; until: number }>()

  async function read(name: Name): Promise<KeyValues> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arns[name] }))
    if (!SecretString) throw new Error(`The secret ${name} has no text value`)
    return keyValuesOfText(SecretString)
  }

  return {
    get(name) {
      const before = known.get(name)
      const now = clock.now()
      if (before && now < before.until) return before.values
      const values = read(name).catch((error: unknown) => {
        if (!before) {
          known.delete(name)
          throw error
        }
        known.set(name, { values: before.values, until: clock.now() + RETRY_MS })
        return before.values
      })
      known.set(name, { values, until: now + KNOWN_MS })
      return values
    },
  }
}
