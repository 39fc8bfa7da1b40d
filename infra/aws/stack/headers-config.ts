/** Headers of a host's answers. */
export interface HeadersOfAnswers {
  comment: string
  /** By their names in lower case. `access-control-allow-origin` is `*`: any site may read the answers; absent: none may. */
  headers: Readonly<Record<string, string>>
}

/**
 * Headers as CloudFront takes them, some in places of their own. All answers carry HSTS.
 * @param name of the policy, unique in the account
 */
export function headersConfig(name: string, { comment, headers }: HeadersOfAnswers) {
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
  if (referrerPolicy && referrerPolicy !== 'no-referrer') throw new Error(`${comment}: no place for ${referrerPolicy}`)
  return {
    Name: name,
    Comment: comment,
    ...(allowOrigin ? { CorsConfig: readByAnySite(exposed) } : {}),
    ...(Object.keys(others).length > 0 && {
      CustomHeadersConfig: { Items: Object.entries(others).map(([Header, Value]) => ({ Header, Value, Override: true })) },
    }),
    SecurityHeadersConfig: {
      ContentTypeOptions: { Override: true },
      ContentSecurityPolicy: { ContentSecurityPolicy: contentSecurityPolicy, Override: true },
      ...(referrerPolicy ? { ReferrerPolicy: { ReferrerPolicy: referrerPolicy, Override: true } } : {}),
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
    },
  }
}

/** @param exposed names of headers, separated by commas */
function readByAnySite(exposed: string | undefined) {
  return {
    AccessControlAllowCredentials: false,
    AccessControlAllowHeaders: { Items: ['*'] },
    AccessControlAllowMethods: { Items: ['GET', 'HEAD', 'OPTIONS'] },
    AccessControlAllowOrigins: { Items: ['*'] },
    ...(exposed ? { AccessControlExposeHeaders: { Items: exposed.split(', ') } } : {}),
    OriginOverride: true,
  }
}
