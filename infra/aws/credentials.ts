/** Errors of AWS that say that it doesn't know who asks. Source: "Common errors" of the services' API references. */
const refused = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
])

/** Errors of the SDK before AWS is asked: no credentials, a session of SSO that has expired, a role that may not be taken. */
const missing = new Set(['CredentialsProviderError', 'TokenProviderError'])

const GIVE = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile by --profile or AWS_PROFILE.'

/** Says in a sentence what is wrong with the credentials. @returns other errors as they are */
export function explainCredentials(error: Error, profile?: string): Error {
  const explained = (message: string) => new Error(message, { cause: error })
  if (missing.has(error.name) && profile === undefined && /any providers/.test(error.message))
    return explained(`There are no AWS credentials: ${GIVE}`)
  if (missing.has(error.name)) {
    const source = profile === undefined ? 'The environment' : `The profile ${profile}`
    const signIn = /sso/i.test(error.message) ? `sign in by \`aws sso login${profile ? ` --profile ${profile}` : ''}\`, or ` : ''
    return explained(`${source} gives no AWS credentials: ${sentence(error.message)} Correct that: ${signIn}${GIVE}`)
  }
  if (refused.has(error.name))
    return explained(`AWS does not take these credentials: ${sentence(error.message)} Sign in again, or name another profile.`)
  if (error.name.startsWith('AccessDenied') && /AssumeRole/.test(error.message))
    return explained(`The role may not be taken: ${sentence(error.message)} Correct its trust, or name another profile.`)
  return error
}

const sentence = (message: string) => `${message.trim().replace(/\.$/, '')}.`
