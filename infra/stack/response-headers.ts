import { Duration } from 'aws-cdk-lib'
import { HeadersReferrerPolicy, type ResponseHeadersCorsBehavior, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { accountWideName } from './account-wide-name.ts'

/**
 * A policy by which CloudFront puts headers on answers, also on errors, in place of the origin's. CloudFront takes some headers in places of
 * their own. All answers carry HSTS.
 * @param headers by their names in lower case. `access-control-allow-origin` is `*`: any site may read the answers; absent: none may
 */
export function responseHeaders(
  scope: Construct,
  id: string,
  { comment, headers }: { comment: string; headers: Readonly<Record<string, string>> },
): ResponseHeadersPolicy {
  const {
    'access-control-allow-origin': allowOrigin,
    'access-control-expose-headers': exposed,
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': referrerPolicy,
    'x-content-type-options': contentTypeOptions,
    ...others
  } = headers
  if ((allowOrigin ?? '*') !== '*' || contentTypeOptions !== 'nosniff' || !contentSecurityPolicy)
    throw new Error(`${comment}: headers are missing`)
  if (referrerPolicy && referrerPolicy !== HeadersReferrerPolicy.NO_REFERRER) throw new Error(`${comment}: no place for ${referrerPolicy}`)
  return new ResponseHeadersPolicy(scope, id, {
    responseHeadersPolicyName: accountWideName(scope, id),
    comment,
    ...(allowOrigin ? { corsBehavior: readByAnySite(exposed) } : {}),
    customHeadersBehavior: { customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override: true })) },
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      contentSecurityPolicy: { contentSecurityPolicy, override: true },
      ...(referrerPolicy ? { referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true } } : {}),
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
  })
}

/** @param exposed names of headers, separated by commas */
function readByAnySite(exposed: string | undefined): ResponseHeadersCorsBehavior {
  return {
    accessControlAllowCredentials: false,
    accessControlAllowHeaders: ['*'],
    accessControlAllowMethods: ['GET', 'HEAD', 'OPTIONS'],
    accessControlAllowOrigins: ['*'],
    ...(exposed ? { accessControlExposeHeaders: exposed.split(', ') } : {}),
    originOverride: true,
  }
}
