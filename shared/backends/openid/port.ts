/** Signs people on by OpenID Connect, at providers that companies name (OpenID Connect Core, Discovery and Back-Channel Logout 1.0). */

/** A provider, and how this service is registered there. */
export interface OpenIdProvider {
  /** Address that names the provider: its metadata is found below it. */
  issuer: string
  clientId: string
  clientSecret: string
}

/** One sign-on of one browser. */
export interface SignOn {
  /** Where the provider sends the browser back to. */
  callbackUrl: string
  /** Comes back with the answer. */
  state: string
  /** Comes back in the ID token. */
  nonce: string
  /** Proves to the provider that who redeems the code has asked for it (PKCE, RFC 7636): 43 characters or more. */
  verifier: string
  /** Whether the person's groups are asked for, too. */
  wantsGroups: boolean
}

/** What a provider vouches for. */
export interface SignedOn {
  /** Names the person at this provider, for ever. */
  subject: string
  /** Names their session there, where the provider tells. */
  sessionId?: string
  /** Claims about the person, as the provider says them. */
  claims: Readonly<Record<string, unknown>>
}

/** Sessions that a provider has ended. */
export interface ProviderLogout {
  /** Names this message. */
  id: string
  /** Whose sessions, and which of them; at least one of the two. */
  subject?: string
  sessionId?: string
}

/** Every call may throw `ProviderFailed`. */
export interface OpenIdProviders {
  /** Address at the provider where a browser begins. */
  startUrl(provider: OpenIdProvider, signOn: SignOn): Promise<string>
  /** Redeems what the provider sent the browser back with, and checks it. @throws SignOnInvalid */
  finish(provider: OpenIdProvider, signOn: SignOn, answer: URLSearchParams): Promise<SignedOn>
  /** Checks a logout token. @throws SignOnInvalid */
  readLogout(provider: OpenIdProvider, token: string): Promise<ProviderLogout>
  /** Reads the provider's metadata and keys. @returns what the operator sees of them */
  test(provider: OpenIdProvider): Promise<{ authorizationEndpoint: string; keys: number }>
}

/** What came from a provider doesn't count. The message is a sentence for who signs on, or for the provider. */
export class SignOnInvalid extends Error {
  override name = 'SignOnInvalid'
}

/** The provider does not answer, or not as the protocol says. The message is for the operator. */
export class ProviderFailed extends Error {
  override name = 'ProviderFailed'
  readonly timedOut: boolean
  constructor(message: string, { timedOut = false, ...options }: ErrorOptions & { timedOut?: boolean } = {}) {
    super(message, options)
    this.timedOut = timedOut
  }
}
