import { createHash } from 'node:crypto'
import {
  type CloudFrontClient,
  CreateResponseHeadersPolicyCommand,
  ListResponseHeadersPoliciesCommand,
  ResponseHeadersPolicyAlreadyExists,
  type ResponseHeadersPolicyConfig,
} from '@aws-sdk/client-cloudfront'
import { type HeadersOfAnswers, headersConfig } from '../stack/headers-config.ts'
import type { SharedPolicyIds } from '../stack/response-headers.ts'
import { sharedHeaders } from '../stack/shared-headers.ts'

/** The prefix of these policies' names. */
export const SHARED_NAME = 'media-library-'

type Client = Pick<CloudFrontClient, 'send'>

/**
 * Makes the policies of headers that are the same in every stack, once in the account: CloudFront allows twenty. Their names follow from their
 * contents, so stacks of several versions have theirs beside each other. Nobody changes or removes one.
 * @param isDryRun makes none: what lacks gets an id that stands for it
 * @returns their ids
 */
export async function sharedPolicies(client: Client, isDryRun = false): Promise<SharedPolicyIds> {
  const known = await idsByName(client)
  const ids: SharedPolicyIds = {}
  for (const [name, wanted] of Object.entries(sharedHeaders) as [keyof typeof sharedHeaders, HeadersOfAnswers][]) {
    const config = configOf(wanted)
    ids[name] = known.get(config.Name) ?? (isDryRun ? `made-by-deploy-${name}` : await made(client, config))
  }
  return ids
}

async function idsByName(client: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let marker: string | undefined; ; ) {
    const command = new ListResponseHeadersPoliciesCommand({ Type: 'custom', ...(marker && { Marker: marker }) })
    const { ResponseHeadersPolicyList: list } = await client.send(command)
    for (const { ResponseHeadersPolicy } of list?.Items ?? []) {
      const { Id, ResponseHeadersPolicyConfig } = ResponseHeadersPolicy ?? {}
      if (Id && ResponseHeadersPolicyConfig?.Name) ids.set(ResponseHeadersPolicyConfig.Name, Id)
    }
    marker = list?.NextMarker
    if (!marker) return ids
  }
}

async function made(client: Client, config: Config): Promise<string> {
  try {
    const command = new CreateResponseHeadersPolicyCommand({ ResponseHeadersPolicyConfig: counted(config) as ResponseHeadersPolicyConfig })
    return (await client.send(command)).ResponseHeadersPolicy!.Id!
  } catch (error) {
    if (!(error instanceof ResponseHeadersPolicyAlreadyExists)) throw error
    // Another deployment was faster.
    return (await idsByName(client)).get(config.Name)!
  }
}

type Config = ReturnType<typeof headersConfig>

function configOf(wanted: HeadersOfAnswers): Config {
  const content = JSON.stringify(headersConfig('', wanted))
  return headersConfig(`${SHARED_NAME}${createHash('sha256').update(content).digest('hex').slice(0, 16)}`, wanted)
}

/** A configuration as the API takes it: CloudFormation counts lists itself. */
function counted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(counted)
  const fields = Object.entries(value).map(([key, field]) => [key, counted(field)] as const)
  const { Items } = value as { Items?: unknown[] }
  return Object.fromEntries([...(Items ? [['Quantity', Items.length] as const] : []), ...fields])
}
