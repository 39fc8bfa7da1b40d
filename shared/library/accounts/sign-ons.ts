import { hash } from 'node:crypto'
import type { Key, Operation } from '../../backends/table/port.ts'
import type { ProviderId, UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { providerKey } from './providers.ts'

/** A person's identity at a provider. The user's record lists it too, so that an orphaned identity opens nothing. */
export type Identity = {
  providerId: ProviderId
  /** The person's id at the provider (`sub`). */
  subject: string
}

/** The user of an identity. */
export type IdentityRecord = Key &
  Identity & {
    userId: UserId
    /** UNIX milliseconds */
    created: number
    /** Time of the provider's last logout of all sessions, in UNIX milliseconds. Earlier sessions are invalid. */
    endedAt?: number
    /** The same for sessions without an id at the provider. */
    unnamedEndedAt?: number
  }

/** The sign-on at a provider that began a session. */
export type SignOnOrigin = Identity & {
  /** Hash of the session's id at the provider (`sid`), where it sent one. */
  session?: string
  /** UNIX milliseconds */
  began: number
}

/** How long a sign-on may take, in seconds. */
export const SIGN_ON_SECONDS = 3600

/** Longest subject, in characters (OpenID Connect Core, 2). */
export const MAX_SUBJECT_LENGTH = 255

export const identityKey = ({ providerId, subject }: Identity): Key => ({ pk: `PROVIDER#${providerId}`, sk: `IDENTITY#${subject}` })

/** Hash of a session's id at a provider, which may be too long for a key. */
export const sessionHash = (sessionId: string): string => hash('sha256', sessionId)
/** Key of the record of a provider session's end. @param session its hash */
export const endKey = (providerId: ProviderId, session: string): Key => ({ pk: `PROVIDER#${providerId}`, sk: `END#${session}` })
/** Key of the record of a used logout token. */
export const logoutKey = (providerId: ProviderId, logoutId: string): Key => ({
  pk: `PROVIDER#${providerId}`,
  sk: `LOGOUT#${hash('sha256', logoutId)}`,
})

export function findIdentity({ table }: Reading, identity: Identity): Promise<IdentityRecord | undefined> {
  return table.get<IdentityRecord>(identityKey(identity))
}

export const sameIdentity = (a: Identity) => (b: Identity) => a.providerId === b.providerId && a.subject === b.subject

/** The operation that gives a user an identity. Fails if a user has it already. */
export function identityClaim({ providerId, subject }: Identity, userId: UserId, created: number): Operation {
  const record: IdentityRecord = { ...identityKey({ providerId, subject }), providerId, subject, userId, created }
  return { put: record, if: { pk: { exists: false } } }
}

/**
 * Whether a session of this user is still valid at the provider: provider and identity exist, and the provider has not ended the session.
 */
export async function isSignedOn({ table }: Reading, origin: SignOnOrigin, userId: UserId): Promise<boolean> {
  const { providerId, session, began } = origin
  const [provider, known] = [providerKey(providerId), identityKey(origin)]
  const end = session === undefined ? undefined : endKey(providerId, session)
  const found = await table.getMany<Key & Partial<IdentityRecord>>([provider, known, ...(end ? [end] : [])])
  const hasProvider = found.some(({ sk }) => sk === provider.sk)
  const hasEnded = end !== undefined && found.some(({ sk }) => sk === end.sk)
  const identity = found.find((item) => item.sk === known.sk && item.userId === userId)
  if (!hasProvider || hasEnded || !identity) return false
  const ends = [identity.endedAt, session === undefined ? identity.unnamedEndedAt : undefined]
  return ends.every((endedAt) => endedAt === undefined || endedAt < began)
}
