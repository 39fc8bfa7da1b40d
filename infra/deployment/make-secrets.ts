import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { customResource } from './custom-resource.ts'

/** ARNs of the secrets, which exist but may hold nothing yet. */
const secretArns = z.object({ ApiSecretsKeyArn: z.string(), UrlSigningKeyArn: z.string(), OriginKeyArn: z.string() })

/** What the stack reads from the custom resource; none of it is secret. */
export interface PublicHalves {
  /** PEM (SPKI) of the P-256 key with which CloudFront checks delivery URLs. */
  UrlPublicKey: string
  /** SHA-256, in hex, of the key by which the delivery network proves itself to functions. */
  OriginKeyHash: string
}

/** Gives every secret of the deployment a value, once: a secret that holds one keeps it. */
export async function fillSecrets(client: Pick<SecretsManagerClient, 'send'>, properties: unknown): Promise<PublicHalves> {
  const arns = secretArns.parse(properties)
  await keepOrMake(client, arns.ApiSecretsKeyArn, () => randomBytes(32).toString('base64'))
  const urlSigningKey = await keepOrMake(client, arns.UrlSigningKeyArn, newSigningKey)
  const originKey = await keepOrMake(client, arns.OriginKeyArn, () => randomBytes(32).toString('hex'))
  return {
    UrlPublicKey: createPublicKey(urlSigningKey).export({ type: 'spki', format: 'pem' }).toString(),
    OriginKeyHash: createHash('sha256').update(originKey).digest('hex'),
  }
}

function newSigningKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function keepOrMake(client: Pick<SecretsManagerClient, 'send'>, SecretId: string, make: () => string): Promise<string> {
  const current = await client.send(new GetSecretValueCommand({ SecretId })).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  })
  if (current?.SecretString) return current.SecretString
  const value = make()
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: value }))
  return value
}

/** Handler of the custom resource `Custom::Secrets`. The secrets themselves are removed (or kept) by CloudFormation. */
export const makeSecrets = customResource(async ({ type, properties }) =>
  type === 'Delete' ? {} : { ...(await fillSecrets(new SecretsManagerClient(), properties)) },
)
