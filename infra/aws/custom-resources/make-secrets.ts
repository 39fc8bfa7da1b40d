import { createHash, randomBytes } from 'node:crypto'
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
import { newSigningKey, publicHalf, readSigningKey } from '../../../shared/backends/secrets/signing-key.ts'
import { customResource } from './custom-resource.ts'

/** Properties of `Custom::Secrets`: ARNs of parameters, which needn't exist. */
const wantedKeys = z.object({
  ApiSecretsKeyArn: z.string(),
  UrlSigningKeyArn: z.string(),
  OriginKeyArn: z.string(),
  UrlPublicKeyArn: z.string(),
  /** Whose the key to API secrets is. The stack takes only its own along when it goes; an adopted one has to be there. */
  ApiSecretsKey: z.enum(['own', 'kept', 'adopted']),
})
export type WantedKeys = z.infer<typeof wantedKeys>

/** What the template reads of `Custom::Secrets`. None is secret. */
export interface PublicHalves {
  /** PEM (SPKI) of the P-256 key with which CloudFront checks delivery URLs that the stack's first key has signed. */
  UrlPublicKey: string
  /** SHA-256, in hex, of each key by which the delivery network may prove itself to functions, with commas between them. */
  OriginKeyHash: string
}

/** Stands for the id of the stack's own key, which isn't stored with it. */
const FIRST = 'first'

type Parameters = Pick<SSMClient, 'send'>

/** Makes the keys of the deployment that are not there yet. */
export async function fillKeys(ssm: Parameters, properties: unknown): Promise<PublicHalves> {
  const wanted = wantedKeys.parse(properties)
  if (wanted.ApiSecretsKey === 'adopted') await needParameter(ssm, wanted.ApiSecretsKeyArn)
  else await keepOrMake(ssm, wanted.ApiSecretsKeyArn, newSealingKey)
  const urlSigningKey = await keepOrMake(ssm, wanted.UrlSigningKeyArn, newSigningKey)
  const originKey = await keepOrMake(ssm, wanted.OriginKeyArn, newOriginKey)
  const stackHalf = isRotated(urlSigningKey) ? await heldParameter(ssm, wanted.UrlPublicKeyArn) : undefined
  return {
    UrlPublicKey: stackHalf ?? publicHalfOf(urlSigningKey),
    OriginKeyHash: validValues(keyValuesOfText(originKey))
      .map((key) => createHash('sha256').update(key).digest('hex'))
      .join(','),
  }
}

/** Removes the keys with their stack, all but one to API secrets that outlives it. */
export async function removeKeys(ssm: Parameters, properties: unknown): Promise<void> {
  const { ApiSecretsKey, ApiSecretsKeyArn, UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn } = wantedKeys.parse(properties)
  const others = [UrlSigningKeyArn, OriginKeyArn, UrlPublicKeyArn]
  for (const arn of ApiSecretsKey === 'own' ? [ApiSecretsKeyArn, ...others] : others) {
    await ssm.send(new DeleteParameterCommand({ Name: parameterName(arn) })).catch(unlessMissing)
  }
}

/**
 * Stores the public half that the template names before the first rotation: deployments must give CloudFront the same one, which can't change a key.
 */
export async function keepPublicHalf(ssm: Parameters, keys: Pick<WantedKeys, 'UrlSigningKeyArn' | 'UrlPublicKeyArn'>): Promise<void> {
  const text = await needParameter(ssm, keys.UrlSigningKeyArn)
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

/** A new key by which the delivery network proves itself. */
export const newOriginKey = () => randomBytes(32).toString('hex')

/** @returns the stored text */
async function keepOrMake(ssm: Parameters, arn: string, make: () => string): Promise<string> {
  const held = await heldParameter(ssm, arn)
  if (held) return held
  const text = make()
  if (await putParameter(ssm, arn, text, 'SecureString', false)) return text
  // Another run of this function was faster.
  return needParameter(ssm, arn)
}

async function heldParameter(ssm: Parameters, arn: string): Promise<string | undefined> {
  const found = await ssm.send(new GetParameterCommand({ Name: parameterName(arn), WithDecryption: true })).catch(unlessMissing)
  return found?.Parameter?.Value
}

async function needParameter(ssm: Parameters, arn: string): Promise<string> {
  const held = await heldParameter(ssm, arn)
  if (!held) throw new Error(`There is no parameter ${parameterName(arn)} in the Parameter Store of this account and region.`)
  return held
}

/** @returns whether it was stored. Without `Overwrite` it isn't where there is one already */
async function putParameter(ssm: Parameters, arn: string, Value: string, Type: 'String' | 'SecureString', Overwrite = true) {
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

/** Does what needs rights that the same deployment has given: IAM takes some seconds until it knows them everywhere. The work is repeated. */
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
export const makeSecrets = customResource(async ({ resourceType, type, properties }): Promise<Record<string, string>> => {
  const ssm = parameterClient()
  if (resourceType === 'Custom::OriginKey') {
    if (type === 'Delete') return {}
    const text = await needParameter(ssm, z.object({ OriginKeyArn: z.string() }).parse(properties).OriginKeyArn)
    return { OriginKey: keyValuesOfText(text).current }
  }
  if (type === 'Delete') {
    await removeKeys(ssm, properties)
    return {}
  }
  const { ApiSecretsKeyArn, UrlSigningKeyArn } = wantedKeys.parse(properties)
  const halves = await onceAllowed(() => fillKeys(ssm, properties))
  return { ...halves, ApiSecretsKeyArn, UrlSigningKeyArn }
})
