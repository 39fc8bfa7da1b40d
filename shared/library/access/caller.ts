import type { CompanyId, FolderId, KeyId, MediaId } from '../../vocabulary/ids.ts'
import type { KeyRecord } from '../accounts/api-keys.ts'
import type { Session } from '../accounts/sessions.ts'
import type { UserRecord } from '../accounts/users.ts'
import type { Actor, ByRequest } from '../actor.ts'

/** A user who presented a valid token, or the cookie of a session. */
export interface UserCaller {
  kind: 'user'
  user: UserRecord
  /** API key through which the user signed in; identifies the application in logs. Absent in sessions, and for share links. */
  keyId?: KeyId
  /** The browser's session. */
  session?: Session
  /** What the request's share link opens. Then the user is the link's maker, with no rights on anything else. */
  opened?: Opened
}

/** What a share link opens: a folder with all below it, or some files. */
export interface Opened {
  shareId: string
  /** SHA-256 of the secret in its address, in hex. */
  secretHash: string
  /** End, in UNIX milliseconds. */
  expires?: number | undefined
  companyId: CompanyId
  /** Absent for links to files. */
  folderId?: FolderId
  /** Absent for links to a folder. */
  mediaIds?: ReadonlySet<MediaId>
  /** Whether the folder itself takes uploads. */
  takesUploads: boolean
  /** Whether downloads are previews instead of originals. */
  givesPreviews: boolean
}

/** An application that presented a valid HMAC; acts for its key's company. */
export interface ApplicationCaller {
  kind: 'application'
  key: KeyRecord
}

export type Caller = UserCaller | ApplicationCaller

/** The caller as the actor of a request's changes. */
export function actorOf(caller: Caller, request: ByRequest): Actor {
  if (caller.kind === 'application') return { kind: 'application', keyId: caller.key.keyId, ...request }
  const shareId = caller.opened?.shareId
  return { kind: 'user', userId: caller.user.userId, keyId: caller.keyId, ...(shareId !== undefined && { shareId }), ...request }
}
