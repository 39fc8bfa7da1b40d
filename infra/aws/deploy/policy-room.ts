import { type CloudFrontClient, ListCachePoliciesCommand, ListResponseHeadersPoliciesCommand } from '@aws-sdk/client-cloudfront'
import { sharedHeaders } from '../stack/shared-headers.ts'
import { SHARED_NAME } from './shared-headers.ts'

/** Policies of each kind that CloudFront allows an account, and that a new stack makes. */
const MOST = 20
const OF_STACK = 2

/**
 * Whether a new stack finds room for its policies.
 * @returns what lacks, in a sentence; undefined where there is room
 */
export async function policyProblem(client: Pick<CloudFrontClient, 'send'>): Promise<string | undefined> {
  const asked = { Type: 'custom', MaxItems: 100 } as const
  const [caching, headers] = await Promise.all([
    client.send(new ListCachePoliciesCommand(asked)),
    client.send(new ListResponseHeadersPoliciesCommand(asked)),
  ])
  const named =
    headers.ResponseHeadersPolicyList?.Items?.map(({ ResponseHeadersPolicy: policy }) => policy?.ResponseHeadersPolicyConfig?.Name) ?? []
  // The first stack of an account makes those that all share.
  const shared = named.some((name) => name?.startsWith(SHARED_NAME)) ? 0 : Object.keys(sharedHeaders).length
  const kinds = [
    { kind: 'caching', there: caching.CachePolicyList?.Items?.length ?? 0, more: OF_STACK },
    { kind: 'headers', there: named.length, more: OF_STACK + shared },
  ]
  const full = kinds.filter(({ there, more }) => there + more > MOST)
  if (full.length === 0) return undefined
  const counts = full.map(({ kind, there, more }) => `${there} of ${kind}, and ${more} more are made`).join('; ')
  return `CloudFront allows an account ${MOST} policies of each kind. This one has ${counts}: remove some that nothing uses.`
}
