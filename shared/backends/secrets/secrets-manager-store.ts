import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { keyValuesOfText } from './key-values.ts'
import { KeyReplaced, type KeyStore } from './port.ts'
import { KNOWN_MS } from './secrets-manager.ts'

/** Clocks of functions and of who rotates may differ so much, in milliseconds. */
const CLOCKS_MS = 30_000

/** A key in a secret of Secrets Manager. */
export function secretsManagerKeyStore({ arn, client }: { arn: string; client: SecretsManagerClient }): KeyStore {
  return {
    knownMs: KNOWN_MS + CLOCKS_MS,
    async read() {
      const { SecretString, VersionId } = await client.send(new GetSecretValueCommand({ SecretId: arn }))
      if (!SecretString?.trim() || !VersionId) throw new Error(`The secret ${arn} is empty. A deployment fills it: npm run deploy`)
      return { values: keyValuesOfText(SecretString), version: VersionId }
    },
    /** Secrets Manager writes without conditions, but it moves a label only from the version that has it. */
    async replace(read, values) {
      const stored = { SecretId: arn, SecretString: JSON.stringify(values), VersionStages: ['AWSPENDING'] }
      const { VersionId } = await client.send(new PutSecretValueCommand(stored))
      const move = { SecretId: arn, VersionStage: 'AWSCURRENT', MoveToVersionId: VersionId, RemoveFromVersionId: read.version }
      await client.send(new UpdateSecretVersionStageCommand(move)).catch((error) => {
        throw error instanceof InvalidParameterException ? new KeyReplaced() : error
      })
      return { values, version: VersionId! }
    },
  }
}
