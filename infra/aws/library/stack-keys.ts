import { cloudFrontClient } from '../../../shared/backends/edge-cache/cloudfront.ts'
import { parameterClient } from '../../../shared/backends/secrets/parameters.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { type KeyParameter, keyParameterArn } from '../../homes/key-parameters.ts'
import { type KeyKind, rotateKey, type Surroundings } from '../../homes/rotate-key.ts'
import { secretsKeyWork } from '../../homes/secrets-key.ts'
import { keepPublicHalf } from '../custom-resources/make-secrets.ts'
import { parameterKeyStore } from './parameter-key-store.ts'
import { rotateOriginKey } from './stack-origin-key.ts'
import { type StackResource, stackIdOf, stackResources } from './stack-resources.ts'
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
  const ssm = parameterClient()
  const storeOf = (arn: string) => parameterKeyStore({ arn, client: ssm, table })
  if (kind === 'secrets') {
    await rotateKey(storeOf(apiSecretsKeyArn), secretsKeyWork(table, surroundings.tell), surroundings)
    return
  }
  const [stackId, resources] = await Promise.all([stackIdOf(stack), stackResources(stack)])
  const arnOf = (key: KeyParameter) => keyParameterArn(stackId, key)
  const only = (type: string, id = '') => onlyOne(resources, type, id)
  const cloudFront = cloudFrontClient()
  if (kind === 'url') {
    const UrlSigningKeyArn = arnOf('urlSigningKey')
    await keepPublicHalf(ssm, { UrlSigningKeyArn, UrlPublicKeyArn: arnOf('urlPublicKey') })
    const ids = { group: only('AWS::CloudFront::KeyGroup'), firstId: only('AWS::CloudFront::PublicKey') }
    await rotateKey(storeOf(UrlSigningKeyArn), stackUrlKeyWork(cloudFront, ids), surroundings)
    return
  }
  const { LambdaClient } = await import('@aws-sdk/client-lambda')
  const holders = {
    store: storeOf(arnOf('originKey')),
    distributionId: only('AWS::CloudFront::Distribution', 'ApiDelivery'),
    functions: resources.filter(({ type }) => type === 'AWS::Lambda::Function').map(({ physicalId }) => physicalId),
  }
  await rotateOriginKey(holders, { cloudFront, lambda: new LambdaClient() }, surroundings)
}

/** @param id prefix of the resource's id in the template */
function onlyOne(resources: readonly StackResource[], type: string, id: string): string {
  const [found, ...others] = resources.filter((each) => each.type === type && each.id.startsWith(id))
  if (!found || others.length > 0) throw new Error(`The stack has no one ${type} ${id}. Is it a media library, deployed by this version?`)
  return found.physicalId
}
