import { createHash } from 'node:crypto'
import {
  type CloudFrontClient,
  GetDistributionConfigCommand,
  UpdateDistributionCommand,
  waitUntilDistributionDeployed,
} from '@aws-sdk/client-cloudfront'
import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda'
import type { KeyStore } from '../../../shared/backends/secrets/port.ts'
import { inParallel } from '../../../shared/parallel.ts'
import type { Surroundings } from '../../homes/rotate-key.ts'
import { newOriginKey } from '../custom-resources/make-secrets.ts'

/** Holders of a stack's origin key. */
export interface OriginKeyHolders {
  store: KeyStore
  /** The distribution of the API, which sends the key. */
  distributionId: string
  /** Names of the stack's functions. Those of the API check the key. */
  functions: readonly string[]
}

interface Clients {
  cloudFront: CloudFrontClient
  lambda: LambdaClient
}

const HEADER = 'x-origin-key'
const VARIABLE = 'ORIGIN_KEY_HASH'

/** Functions changed in parallel. Lambda takes some 15 requests a second. */
const AT_A_TIME = 4

/** Time limit of CloudFront's and Lambda's changes, in seconds. */
const LONGEST_SECONDS = 1_800

/**
 * Rotates the key that authenticates the delivery network to the functions of the API. They accept the next key beside the current one before the
 * network sends it. The key that the network sends shows whether an earlier rotation has ended; an unfinished one is continued.
 *
 * A deployment gives CloudFront the current value, and the functions the hashes of both (custom-resources/make-secrets.ts).
 * @throws KeyReplaced when another rotation runs
 */
export async function rotateOriginKey({ store, ...holders }: OriginKeyHolders, clients: Clients, { clock, tell }: Surroundings) {
  const key = await store.read()
  const { current } = key.values
  const sent = await sentKey(clients.cloudFront, holders.distributionId)
  const isInterrupted = sent !== current
  if (isInterrupted) tell('An earlier rotation was interrupted: this one ends it.')
  const next = isInterrupted ? current : newOriginKey()
  tell('The functions of the API learn the key. That takes some minutes.')
  await letFunctionsTake([next, sent], holders.functions, clients.lambda)
  if (!isInterrupted) await store.replace(key, { current: next, previous: current, since: clock.now() })
  tell('CloudFront learns the key. That takes some minutes.')
  await sendKey(next, clients.cloudFront, holders.distributionId)
}

async function configOf(cloudFront: CloudFrontClient, Id: string) {
  const { DistributionConfig, ETag } = await cloudFront.send(new GetDistributionConfigCommand({ Id }))
  const headers = DistributionConfig!.Origins!.Items!.flatMap(({ CustomHeaders }) => CustomHeaders?.Items ?? [])
  const header = headers.find(({ HeaderName }) => HeaderName?.toLowerCase() === HEADER)
  if (!header) throw new Error(`The distribution ${Id} sends no key: was the stack deployed by this version?`)
  return { DistributionConfig, ETag, header }
}

async function sentKey(cloudFront: CloudFrontClient, id: string): Promise<string> {
  return (await configOf(cloudFront, id)).header.HeaderValue!
}

async function sendKey(key: string, client: CloudFrontClient, Id: string): Promise<void> {
  const { DistributionConfig, ETag, header } = await configOf(client, Id)
  header.HeaderValue = key
  await client.send(new UpdateDistributionCommand({ Id, IfMatch: ETag, DistributionConfig }))
  await waitUntilDistributionDeployed({ client, maxWaitTime: LONGEST_SECONDS }, { Id })
}

async function letFunctionsTake(keys: readonly string[], functions: readonly string[], client: LambdaClient): Promise<void> {
  const hashes = keys.map((key) => createHash('sha256').update(key).digest('hex')).join(',')
  await inParallel(functions, AT_A_TIME, async (FunctionName) => {
    const { Environment, RevisionId } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }))
    const known = Environment?.Variables?.[VARIABLE]
    if (known === undefined || known === hashes) return
    const Variables = { ...Environment?.Variables, [VARIABLE]: hashes }
    await client.send(new UpdateFunctionConfigurationCommand({ FunctionName, RevisionId, Environment: { Variables } }))
    await waitUntilFunctionUpdatedV2({ client, maxWaitTime: LONGEST_SECONDS }, { FunctionName })
  })
}
