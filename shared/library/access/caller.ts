import type { CompanyId, FolderId, KeyId, MediaId } from '../../vocabulary/ids.ts'
import type { KeyRecord } from '../accounts/api-keys.ts'
import type { Session } from '../accounts/sessions.ts'
import type { UserRecord } from '../accounts/users.ts'
import type { Actor, ByRequest } from '../actor.ts'

/** A user who presented a valid token, or the cookie of a session. */
export interface UserCaller {
  kind: 'user'
  user: UserRecord
  /** API key through which the user signed in; identifies the application in logs. Absent in sessions, and where a secret stands for the user. */
  keyId?: KeyId
  /** The session of the browser that the request came from. */
  session?: Session
  /** What a share link opens, where the request came by one. The user is its maker, and has no right on anything else. */
  opened?: Opened
}

/** What a share link opens: a folder with all below it, or some files. */
export interface Opened {
  shareId: string
  companyId: CompanyId
  /** Absent of some files. */
  folderId?: FolderId
  /** Absent of a folder. */
  mediaIds?: ReadonlySet<MediaId>
  /** Whether files may be sent into the folder itself. */
  takesUploads: boolean
  /** Whether downloads are previews, not the files themselves. */
  givesPreviews: boolean
}

/** An application that presented a valid HMAC; acts for its key's company. */
export interface ApplicationCaller {
  kind: 'application'
  key: KeyRecord
}

export type Caller = UserCaller | ApplicationCaller

/** The caller as the one who makes the changes of a request. */
export function actorOf(caller: Caller, request: ByRequest): Actor {
  if (caller.kind === 'application') return { kind: 'application', keyId: caller.key.keyId, ...request }
  const shareId = caller.opened?.shareId
  return { kind: 'user', userId: caller.user.userId, keyId: caller.keyId, ...(shareId !== undefined && { shareId }), ...request }
}
