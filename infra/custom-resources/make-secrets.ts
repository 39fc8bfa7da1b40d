import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { customResource } from './custom-resource.ts'

/** ARNs of the secrets, which exist but may be empty. */
const secretArns = z.object({ ApiSecretsKeyArn: z.string(), UrlSigningKeyArn: z.string(), OriginKeyArn: z.string() })

/** The attributes of the custom resource, which the stack reads. None is secret. */
export interface PublicHalves {
  /** PEM (SPKI) of the P-256 key with which CloudFront checks delivery URLs. */
  UrlPublicKey: string
  /** SHA-256, in hex, of the key by which the delivery network proves itself to functions. */
  OriginKeyHash: string
}

type Client = Pick<SecretsManagerClient, 'send'>

/** Gives every empty secret of the deployment a value: its last one where it was emptied, else a new one. Other secrets keep theirs. */
export async function fillSecrets(client: Client, properties: unknown): Promise<PublicHalves> {
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

/**
 * Secrets Manager keeps the former value of a secret. Restoring it keeps encrypted API secrets readable, and keeps the public key that
 * CloudFront has: CloudFront can't replace a key.
 */
async function keepOrMake(client: Client, SecretId: string, make: () => string): Promise<string> {
  const current = await heldValue(client, SecretId, 'AWSCURRENT')
  if (current) return current
  const value = (await heldValue(client, SecretId, 'AWSPREVIOUS')) || make()
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: value }))
  return value
}

/** @returns undefined where there is none, or nothing but white space */
async function heldValue(client: Client, SecretId: string, VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<string | undefined> {
  const held = await client.send(new GetSecretValueCommand({ SecretId, VersionStage })).catch((error) => {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  })
  return held?.SecretString?.trim() ? held.SecretString : undefined
}

/** Handler of the custom resource `Custom::Secrets`. The secrets themselves are removed (or kept) by CloudFormation. */
export const makeSecrets = customResource(async ({ type, properties }) =>
  type === 'Delete' ? {} : { ...(await fillSecrets(new SecretsManagerClient(), properties)) },
)
