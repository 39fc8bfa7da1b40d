import { CfnResource } from 'aws-cdk-lib'
import { type IResponseHeadersPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront'
import { Construct } from 'constructs'
import { accountWideName } from './account-wide-name.ts'
import { type HeadersOfAnswers, headersConfig } from './headers-config.ts'
import { type SharedHeaders, sharedHeaders } from './shared-headers.ts'

/** A policy by which CloudFront puts headers on answers, also on errors, in place of the origin's. */
export function responseHeaders(scope: Construct, id: string, wanted: HeadersOfAnswers): IResponseHeadersPolicy {
  const own = new Construct(scope, id)
  const policy = new CfnResource(own, 'Resource', {
    type: 'AWS::CloudFront::ResponseHeadersPolicy',
    properties: { ResponseHeadersPolicyConfig: headersConfig(accountWideName(scope, id), wanted) },
  })
  return ResponseHeadersPolicy.fromResponseHeadersPolicyId(own, 'Policy', policy.ref)
}

/** Ids of the policies that the account has for the headers which are the same in every stack, where it has them. */
export type SharedPolicyIds = Partial<Record<SharedHeaders, string>>

/** The account's policy of headers that all stacks have, or one of the stack's own. */
export function sharedResponseHeaders(scope: Construct, id: string, name: SharedHeaders, ids: SharedPolicyIds): IResponseHeadersPolicy {
  const known = ids[name]
  return known === undefined
    ? responseHeaders(scope, id, sharedHeaders[name])
    : ResponseHeadersPolicy.fromResponseHeadersPolicyId(scope, id, known)
}
