import { createHash, randomBytes } from 'node:crypto'
import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import {
  DeleteParameterCommand,
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm'
import * as z from 'zod'
import { type Clock, systemClock } from '../../../shared/backends/clock/port.ts'
import { keyValuesOfText } from '../../../shared/backends/secrets/key-values.ts'
import { parameterClient, parameterName } from '../../../shared/backends/secrets/parameters.ts'
import { validValues } from '../../../shared/backends/secrets/port.ts'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { secretsManagerClient } from '../../../shared/backends/secrets/secrets-manager.ts'
import { newSigningKey, publicHalf, readSigningKey } from '../../../shared/backends/secrets/signing-key.ts'
import { customResource } from './custom-resource.ts'

const arns = { ApiSecretsKeyArn: z.string(), UrlSigningKeyArn: z.string(), OriginKeyArn: z.string() }

/** Properties of `Custom::Secrets`: ARNs of parameters, which needn't exist. */
const wantedKeys = z.object({
  ...arns,
  UrlPublicKeyArn: z.string(),
  /** Whose the key to API secrets is. The stack takes only its own along when it goes; an adopted one has to be there. */
  ApiSecretsKey: z.enum(['own', 'kept', 'adopted']),
  /** The secret of Secrets Manager that has the key to API secrets, where a stack of an earlier version kept it. */
  AdoptedSecretArn: z.string().optional(),
})
export type WantedKeys = z.infer<typeof wantedKeys>

const isParameter = (arn: string) => arn.startsWith('arn:aws:ssm:')

/** The properties that earlier versions gave the resource: ARNs of secrets of Secrets Manager. */
const formerKeys = z.object(arns).refine((former) => !isParameter(former.UrlSigningKeyArn))

/** What the template reads of `Custom::Secrets`. None is secret. */
export interface PublicHalves {
  /** PEM (SPKI) of the P-256 key with which CloudFront checks delivery URLs that the stack's first key has signed. */
  UrlPublicKey: string
  /** SHA-256, in hex, of each key by which the delivery network may prove itself to functions, with commas between them. */
  OriginKeyHash: string
}

/** Stands for the id of the stack's own key, which isn't stored with it. */
const FIRST = 'first'

/** Label of earlier versions, in the secret of the key that signs URLs, of the public half that the stack's template names. */
const STACK_PUBLIC_KEY = 'STACK_PUBLIC_KEY'

export interface KeyClients {
  ssm: Pick<SSMClient, 'send'>
  secretsManager: Pick<SecretsManagerClient, 'send'>
}

/**
 * Makes the keys of the deployment that are not there yet. Where an earlier version had them in Secrets Manager they come from there, with all of
 * their values: what it has signed and sealed stays valid.
 * @param former the properties that the resource had before
 */
export async function fillKeys(clients: KeyClients, properties: unknown, former?: unknown): Promise<PublicHalves> {
  const wanted = wantedKeys.parse(properties)
  const from: Partial<z.infer<typeof formerKeys>> = formerKeys.safeParse(former).data ?? {}
  const { ssm } = clients
  const sealing = { arn: wanted.ApiSecretsKeyArn, secretArn: wanted.AdoptedSecretArn ?? from.ApiSecretsKeyArn, make: newSealingKey }
  if (wanted.ApiSecretsKey === 'adopted') await needParameter(ssm, wanted.ApiSecretsKeyArn)
  else await keepOrMake(clients, sealing)
  const kept = await secretValue(clients, from.UrlSigningKeyArn, STACK_PUBLIC_KEY)
  if (kept) await putParameter(ssm, wanted.UrlPublicKeyArn, kept.text, 'String')
  const signing = { arn: wanted.UrlSigningKeyArn, secretArn: from.UrlSigningKeyArn, make: newSigningKey }
  const urlSigningKey = await keepOrMake(clients, signing)
  const origin = { arn: wanted.OriginKeyArn, secretArn: from.OriginKeyArn, make: newOriginKey }
  const originKey = await keepOrMake(clients, origin, formerOriginKey)
  const stackHalf = isRotated(urlSigningKey) ? await heldParameter(ssm, wanted.UrlPublicKeyArn) : undefined
  return {
    UrlPublicKey: stackHalf?.text ?? publicHalfOf(urlSigningKey),
    OriginKeyHash: validValues(keyValuesOfText(originKey))
      .map((key) => createHash('sha256').update(key).digest('hex'))
      .join(','),
  }
}

/** Removes the keys with their stack, all but one to API secrets that outlives it. */
export async function removeKeys(ssm: KeyClients['ssm'], properties: unknown): Promise<void> {
  const { ApiSecretsKey, ApiSecretsKeyArn, UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn } = wantedKeys.parse(properties)
  const others = [UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn]
  for (const arn of ApiSecretsKey === 'own' ? [ApiSecretsKeyArn, ...others] : others) {
    await ssm.send(new DeleteParameterCommand({ Name: parameterName(arn) })).catch(unlessMissing)
  }
}

/**
 * Stores the public half that the template names before the first rotation: deployments must give CloudFront the same one, which can't change a key.
 */
export async function keepPublicHalf(
  ssm: KeyClients['ssm'],
  keys: Pick<WantedKeys, 'UrlSigningKeyArn' | 'UrlPublicKeyArn'>,
): Promise<void> {
  const { text } = await needParameter(ssm, keys.UrlSigningKeyArn)
  if (!isRotated(text)) await putParameter(ssm, keys.UrlPublicKeyArn, publicHalfOf(text), 'String')
}

/** Whether a stored key has taken the place of the stack's own. A new one that was made because the first was lost has not. */
function isRotated(stored: string): boolean {
  return readSigningKey(keyValuesOfText(stored).current, FIRST).keyPairId !== FIRST
}

/** The public half of a stored key that signs URLs now. */
export function publicHalfOf(stored: string): string {
  return publicHalf(readSigningKey(keyValuesOfText(stored).current, FIRST))
}

/** A stored text, and when it was stored. */
interface Held {
  text: string
  since: Date
}

/** A new key by which the delivery network proves itself. */
export const newOriginKey = () => randomBytes(32).toString('hex')

/**
 * @param key.secretArn where an earlier version has the key. That is taken where it is the later one: an update may have been rolled back after the
 *   parameter was made, and the key rotated since
 * @returns the stored text
 */
async function keepOrMake(
  clients: KeyClients,
  { arn, secretArn, make }: { arn: string; secretArn: string | undefined; make: () => string },
  readFormer = formerKey,
): Promise<string> {
  const { ssm } = clients
  const held = await heldParameter(ssm, arn)
  const former = await readFormer(clients, secretArn)
  if (held && !(former && former.since > held.since)) return held.text
  if (secretArn !== undefined && !former) throw new Error(`The secret ${secretArn} has no value, so no key can be taken over from it.`)
  const text = former?.text ?? make()
  if (await putParameter(ssm, arn, text, 'SecureString', former !== undefined)) return text
  // Another run of this function was faster.
  return (await needParameter(ssm, arn)).text
}

/** A key in a secret: the value before where it was emptied. */
async function formerKey(clients: KeyClients, arn: string | undefined): Promise<Held | undefined> {
  return (await secretValue(clients, arn, 'AWSCURRENT')) ?? (await secretValue(clients, arn, 'AWSPREVIOUS'))
}

/** The key of the delivery network, with the one before, which a secret kept as its former value. */
async function formerOriginKey(clients: KeyClients, arn: string | undefined): Promise<Held | undefined> {
  const [current, previous] = [await formerKey(clients, arn), await secretValue(clients, arn, 'AWSPREVIOUS')]
  return current && previous ? { ...current, text: JSON.stringify({ current: current.text, previous: previous.text }) } : current
}

/** @returns undefined where there is none, or nothing but white space */
async function secretValue({ secretsManager }: KeyClients, SecretId: string | undefined, VersionStage: string): Promise<Held | undefined> {
  if (SecretId === undefined) return undefined
  const value = await secretsManager.send(new GetSecretValueCommand({ SecretId, VersionStage })).catch((error) => {
    // A secret that somebody has removed is still known for some days.
    if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException) return undefined
    throw error
  })
  return value?.SecretString?.trim() ? { text: value.SecretString, since: value.CreatedDate! } : undefined
}

async function heldParameter(ssm: KeyClients['ssm'], arn: string): Promise<Held | undefined> {
  const found = await ssm.send(new GetParameterCommand({ Name: parameterName(arn), WithDecryption: true })).catch(unlessMissing)
  const { Value: text, LastModifiedDate: since } = found?.Parameter ?? {}
  return text && since ? { text, since } : undefined
}

async function needParameter(ssm: KeyClients['ssm'], arn: string): Promise<Held> {
  const held = await heldParameter(ssm, arn)
  if (!held) throw new Error(`There is no parameter ${parameterName(arn)} in the Parameter Store of this account and region.`)
  return held
}

/** @returns whether it was stored. Without `Overwrite` it isn't where there is one already */
async function putParameter(ssm: KeyClients['ssm'], arn: string, Value: string, Type: 'String' | 'SecureString', Overwrite = true) {
  // Said because an account may have another tier as its default, which costs by the month.
  const put = new PutParameterCommand({ Name: parameterName(arn), Value, Type, Tier: 'Standard', Overwrite })
  return ssm.send(put).then(
    () => true,
    (error) => {
      if (error instanceof ParameterAlreadyExists) return false
      throw error
    },
  )
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ParameterNotFound)) throw error
}

/** Longest that IAM is waited for, in pauses of five seconds. */
const PAUSES = 8

/** Does what needs rights that the same update has given: IAM takes some seconds until it knows them everywhere. The work is repeated. */
export async function onceAllowed<T>(work: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await work()
    } catch (error) {
      if (pauses === PAUSES || (error as Error).name !== 'AccessDeniedException') throw error
      await clock.sleep(5_000)
    }
  }
}

/**
 * Handler of the custom resources `Custom::Secrets`, and `Custom::OriginKey`: that is the key by which the delivery network proves itself, which
 * CloudFormation gives to CloudFront and shows to nobody.
 */
export const makeSecrets = customResource(async ({ resourceType, type, properties, formerProperties }): Promise<Record<string, string>> => {
  const ssm = parameterClient()
  if (resourceType === 'Custom::OriginKey') {
    if (type === 'Delete') return {}
    const { text } = await needParameter(ssm, z.object({ OriginKeyArn: z.string() }).parse(properties).OriginKeyArn)
    return { OriginKey: keyValuesOfText(text).current }
  }
  if (type === 'Delete') {
    await removeKeys(ssm, properties)
    return {}
  }
  const { ApiSecretsKeyArn, UrlSigningKeyArn } = wantedKeys.parse(properties)
  const clients = { ssm, secretsManager: secretsManagerClient() }
  const halves = await onceAllowed(() => fillKeys(clients, properties, formerProperties))
  return { ...halves, ApiSecretsKeyArn, UrlSigningKeyArn }
})
