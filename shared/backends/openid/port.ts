/** Sign-on at OpenID Connect providers of companies (OpenID Connect Core, Discovery and Back-Channel Logout 1.0). */

/** A provider, and this service's registration there. */
export interface OpenIdProvider {
  /** Address that identifies the provider. Its metadata is below it. */
  issuer: string
  clientId: string
  clientSecret: string
}

/** One sign-on of one browser. */
export interface SignOn {
  /** Address that the provider redirects the browser to. */
  callbackUrl: string
  /** Returned in the redirect. */
  state: string
  /** Returned in the ID token. */
  nonce: string
  /** Proves that the code is redeemed by the service that requested it (PKCE, RFC 7636): 43 characters or more. */
  verifier: string
  /** Whether to request the person's groups, too. */
  wantsGroups: boolean
}

/** A person whom a provider has authenticated. */
export interface SignedOn {
  /** Permanent id of the person at this provider. */
  subject: string
  /** Id of their session there, if the provider sends one. */
  sessionId?: string
  /** The provider's claims about the person, unchecked. */
  claims: Readonly<Record<string, unknown>>
}

/** Sessions that a provider has ended. */
export interface ProviderLogout {
  /** Id of the message (`jti`). */
  id: string
  /** The person, and one of their sessions; at least one of the two is set. */
  subject?: string
  sessionId?: string
}

/** Every call may throw `ProviderFailed`. */
export interface OpenIdProviders {
  /** Address at the provider that the browser is sent to. */
  startUrl(provider: OpenIdProvider, signOn: SignOn): Promise<string>
  /** Redeems and checks the query parameters of the provider's redirect. @throws SignOnInvalid */
  finish(provider: OpenIdProvider, signOn: SignOn, answer: URLSearchParams): Promise<SignedOn>
  /** Checks a logout token. @throws SignOnInvalid */
  readLogout(provider: OpenIdProvider, token: string): Promise<ProviderLogout>
  /** Reads the provider's metadata and keys. @returns a summary for the operator */
  test(provider: OpenIdProvider): Promise<{ authorizationEndpoint: string; keys: number }>
}

/** The provider's answer or token is invalid. The message is a sentence for the person, or for the provider. */
export class SignOnInvalid extends Error {
  override name = 'SignOnInvalid'
}

/** The provider doesn't answer or violates the protocol. The message is for the operator. */
export class ProviderFailed extends Error {
  override name = 'ProviderFailed'
  readonly timedOut: boolean
  constructor(message: string, { timedOut = false, ...options }: ErrorOptions & { timedOut?: boolean } = {}) {
    super(message, options)
    this.timedOut = timedOut
  }
}
