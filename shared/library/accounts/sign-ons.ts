import { hash } from 'node:crypto'
import type { Key, Operation } from '../../backends/table/port.ts'
import type { ProviderId, UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { providerKey } from './providers.ts'

/** Who a person is at a provider: the user's record names it, too, so that an identity that is left over opens nothing. */
export type Identity = {
  providerId: ProviderId
  /** The provider's own name of the person. */
  subject: string
}

/** Whose identity this is. */
export type IdentityRecord = Key &
  Identity & {
    userId: UserId
    /** UNIX milliseconds */
    created: number
    /** When the provider ended all sessions of the person, in UNIX milliseconds: those that began before are over. */
    endedAt?: number
    /** The same for sessions that the provider has given no name. */
    unnamedEndedAt?: number
  }

/** How a session began that a provider vouched for. */
export type SignOnOrigin = Identity & {
  /** Hash of the session's name at the provider, where it has told one. */
  session?: string
  /** UNIX milliseconds. Absent in sessions of versions before providers could end them. */
  began?: number
}

/** How long a sign-on may take, in seconds. */
export const SIGN_ON_SECONDS = 3600

/** Longest subject, in characters (OpenID Connect Core, 2). */
export const MAX_SUBJECT_LENGTH = 255

export const identityKey = ({ providerId, subject }: Identity): Key => ({ pk: `PROVIDER#${providerId}`, sk: `IDENTITY#${subject}` })

/** Names a session at a provider, in as many characters as the table takes. */
export const sessionHash = (sessionId: string): string => hash('sha256', sessionId)
/** That a session at the provider is over. @param session its hash */
export const endKey = (providerId: ProviderId, session: string): Key => ({ pk: `PROVIDER#${providerId}`, sk: `END#${session}` })
/** That a logout token was taken. */
export const logoutKey = (providerId: ProviderId, logoutId: string): Key => ({
  pk: `PROVIDER#${providerId}`,
  sk: `LOGOUT#${hash('sha256', logoutId)}`,
})

/** Whose identity this is; undefined for nobody's. */
export function findIdentity({ table }: Reading, identity: Identity): Promise<IdentityRecord | undefined> {
  return table.get<IdentityRecord>(identityKey(identity))
}

export const sameIdentity = (a: Identity) => (b: Identity) => a.providerId === b.providerId && a.subject === b.subject

/** The operation that gives a user an identity; it fails where somebody has it. */
export function identityClaim({ providerId, subject }: Identity, userId: UserId, created: number): Operation {
  const record: IdentityRecord = { ...identityKey({ providerId, subject }), providerId, subject, userId, created }
  return { put: record, if: { pk: { exists: false } } }
}

/** Whether the provider still vouches for a session of this user: neither provider nor identity is removed, and it has not ended the session. */
export async function isSignedOn({ table }: Reading, origin: SignOnOrigin, userId: UserId): Promise<boolean> {
  const { providerId, session, began = 0 } = origin
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
