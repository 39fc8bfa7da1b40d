import { GetSecretValueCommand, PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { secretsManagerClient } from '../../../shared/backends/secrets/secrets-manager.ts'
import { secretsManagerKeyStore } from '../../../shared/backends/secrets/secrets-manager-store.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { isRotated, publicHalfOf, STACK_PUBLIC_KEY } from '../../custom-resources/make-secrets.ts'
import { type KeyKind, rotateKey, type Surroundings } from './rotate-key.ts'
import { secretsKeyWork } from './secrets-key.ts'
import { rotateOriginKey } from './stack-origin-key.ts'
import { type StackResource, stackResources } from './stack-resources.ts'
import { stackUrlKeyWork } from './stack-url-key.ts'

/**
 * Rotates a key of a deployed stack, with the AWS credentials and region of the environment.
 * @param options.apiSecretsKeyArn the stack's own, or the one that it has adopted
 * @throws Error in a sentence
 */
export async function rotateStackKey(
  kind: KeyKind,
  { stack, apiSecretsKeyArn, table }: { stack: string; apiSecretsKeyArn: string; table: Table },
  surroundings: Surroundings,
): Promise<void> {
  const secrets = secretsManagerClient()
  if (kind === 'secrets') {
    const store = secretsManagerKeyStore({ arn: apiSecretsKeyArn, client: secrets })
    await rotateKey(store, secretsKeyWork(table, surroundings.tell), surroundings)
    return
  }
  const resources = await stackResources(stack)
  const only = (type: string, id = '') => onlyOne(resources, type, id)
  const cloudFront = cloudFrontClient()
  if (kind === 'url') {
    const arn = only('AWS::SecretsManager::Secret', 'SecretsUrlSigningKey')
    await keepPublicHalf(secrets, arn)
    const ids = { group: only('AWS::CloudFront::KeyGroup'), firstId: only('AWS::CloudFront::PublicKey') }
    await rotateKey(secretsManagerKeyStore({ arn, client: secrets }), stackUrlKeyWork(cloudFront, ids), surroundings)
    return
  }
  const { LambdaClient } = await import('@aws-sdk/client-lambda')
  const holders = {
    secretArn: only('AWS::SecretsManager::Secret', 'SecretsOriginKey'),
    distributionId: only('AWS::CloudFront::Distribution', 'ApiDelivery'),
    functions: resources.filter(({ type }) => type === 'AWS::Lambda::Function').map(({ physicalId }) => physicalId),
  }
  await rotateOriginKey(holders, { secrets, cloudFront, lambda: new LambdaClient() }, surroundings.tell)
}

/** Stores the template's public half before the first rotation: deployments must give CloudFront the same one. */
export async function keepPublicHalf(client: SecretsManagerClient, SecretId: string): Promise<void> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }))
  if (!SecretString?.trim() || isRotated(SecretString)) return
  const kept = { SecretId, SecretString: publicHalfOf(SecretString), VersionStages: [STACK_PUBLIC_KEY] }
  await client.send(new PutSecretValueCommand(kept))
}

/** @param id prefix of the resource's id in the template */
function onlyOne(resources: readonly StackResource[], type: string, id: string): string {
  const [found, ...others] = resources.filter((each) => each.type === type && each.id.startsWith(id))
  if (!found || others.length > 0) throw new Error(`The stack has no one ${type} ${id}. Is it a media library, deployed by this version?`)
  return found.physicalId
}
