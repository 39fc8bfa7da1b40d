import { errors as joseErrors } from 'jose'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { AddressRefused, AnswerTooLarge } from '../outside/fetch.ts'
import { ProviderFailed, SignOnInvalid } from './port.ts'

/** Errors in an authorization response that are the provider's fault, not the person's (RFC 6749, 4.1.2.1). */
const OF_PROVIDER = ['server_error', 'temporarily_unavailable']

/** Messages for invalid answers, by the library's error codes. */
const INVALID: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The answer of the provider has expired, or its clock is wrong.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The answer of the provider is not meant for this sign-on.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The answer of the provider is not meant for this sign-on.',
  OAUTH_KEY_SELECTION_FAILED: 'The answer of the provider is not signed with a key of the provider.',
  OAUTH_INVALID_RESPONSE: 'The answer of the provider is not valid.',
}

/** Translates an error of redeeming an answer: either the answer is invalid, or the provider failed. */
export function redeemFailure(error: unknown): SignOnInvalid | ProviderFailed {
  if (error instanceof SignOnInvalid) return error
  if (error instanceof AuthorizationResponseError && !OF_PROVIDER.includes(error.error)) {
    const code = /^[a-z_]{1,60}$/.test(error.error) ? ` (${error.error})` : ''
    return new SignOnInvalid(`The provider did not sign you in${code}.`, { cause: error })
  }
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    return new SignOnInvalid('The provider takes this answer no more: it was used already, or it is too old.', { cause: error })
  }
  const invalid = error instanceof ClientError && error.code !== undefined && INVALID[error.code]
  return invalid ? new SignOnInvalid(invalid, { cause: error }) : providerFailure(error)
}

/** Translates an error of checking a logout token: either the token is invalid, or the provider's keys can't be read. */
export function logoutFailure(error: unknown): SignOnInvalid | ProviderFailed {
  const { JOSEError, JWKInvalid, JWKSInvalid, JWKSTimeout } = joseErrors
  // The library throws its base class if the answer with keys isn't 200.
  const isOfProvider = [JWKInvalid, JWKSInvalid, JWKSTimeout].some((type) => error instanceof type) || error?.constructor === JOSEError
  if (!(error instanceof JOSEError) || isOfProvider) return providerFailure(error)
  const isTooOld = error instanceof joseErrors.JWTExpired || error instanceof joseErrors.JWTClaimValidationFailed
  return new SignOnInvalid(
    isTooOld ? 'The logout token has expired, or is of the future.' : 'The logout token is not signed by the provider.',
    {
      cause: error,
    },
  )
}

/** Translates an error of a request to the provider. Messages contain no network addresses. */
export function providerFailure(error: unknown): ProviderFailed {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return new ProviderFailed('it did not answer in time', { timedOut: true })
    if (cause instanceof AddressRefused || cause instanceof AnswerTooLarge) return new ProviderFailed(cause.message)
    if (cause instanceof ResponseBodyError) return new ProviderFailed(`it answers ${cause.status}: ${cause.error}`)
    if ('code' in cause && typeof cause.code === 'string' && /^(E[A-Z]+|CERT_|DEPTH_|SELF_|UNABLE_)/.test(cause.code)) {
      return new ProviderFailed(`it could not be reached (${cause.code})`)
    }
  }
  return new ProviderFailed(error instanceof Error ? error.message : 'it does not answer as it should', { cause: error })
}
