import { createHash, randomBytes } from 'node:crypto'
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { keyValuesOfText } from '../../shared/backends/secrets/key-values.ts'
import { newSealingKey } from '../../shared/backends/secrets/sealing-key.ts'
import { newSigningKey, publicHalf, readSigningKey } from '../../shared/backends/secrets/signing-key.ts'
import { customResource } from './custom-resource.ts'

/** ARNs of the secrets, which exist but may be empty. */
const secretArns = z.object({ ApiSecretsKeyArn: z.string(), UrlSigningKeyArn: z.string(), OriginKeyArn: z.string() })

/** The attributes of the custom resource, which the stack reads. None is secret. */
export interface PublicHalves {
  /** PEM (SPKI) of the P-256 key with which CloudFront checks delivery URLs that the stack's first key has signed. */
  UrlPublicKey: string
  /**
   * SHA-256, in hex, of the key by which the delivery network proves itself to functions, and of the one before where there is one, with a comma
   * between them.
   */
  OriginKeyHash: string
}

/** Stands for the id of the stack's own key, which isn't stored with it. */
const FIRST = 'first'

type Client = Pick<SecretsManagerClient, 'send'>

/** Gives every empty secret of the deployment a value: its last one where it was emptied, else a new one. Other secrets keep theirs. */
export async function fillSecrets(client: Client, properties: unknown): Promise<PublicHalves> {
  const arns = secretArns.parse(properties)
  await keepOrMake(client, arns.ApiSecretsKeyArn, newSealingKey)
  const urlSigningKey = await keepOrMake(client, arns.UrlSigningKeyArn, newSigningKey)
  const originKey = await keepOrMake(client, arns.OriginKeyArn, () => randomBytes(32).toString('hex'))
  const formerOriginKey = await heldValue(client, arns.OriginKeyArn, 'AWSPREVIOUS')
  const originKeys = [originKey, ...(formerOriginKey ? [formerOriginKey] : [])]
  return {
    UrlPublicKey:
      (isRotated(urlSigningKey) && (await heldValue(client, arns.UrlSigningKeyArn, STACK_PUBLIC_KEY))) || publicHalfOf(urlSigningKey),
    OriginKeyHash: originKeys.map((key) => createHash('sha256').update(key).digest('hex')).join(','),
  }
}

/**
 * Label, in the secret of the key that signs URLs, of the public half that the stack's template names. CloudFront can't change a key, so a
 * deployment must tell the same half after the key was rotated.
 */
export const STACK_PUBLIC_KEY = 'STACK_PUBLIC_KEY'

/** Whether a stored key has taken the place of the stack's own. A new one that was made because all values were lost has not. */
export function isRotated(stored: string): boolean {
  return readSigningKey(keyValuesOfText(stored).current, FIRST).keyPairId !== FIRST
}

/** The public half of a stored key that signs URLs now. */
export function publicHalfOf(stored: string): string {
  return publicHalf(readSigningKey(keyValuesOfText(stored).current, FIRST))
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
async function heldValue(client: Client, SecretId: string, VersionStage: string): Promise<string | undefined> {
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
