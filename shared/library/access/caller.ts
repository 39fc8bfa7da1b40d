import type { KeyId } from '../../vocabulary/ids.ts'
import type { KeyRecord } from '../accounts/api-keys.ts'
import type { Session } from '../accounts/sessions.ts'
import type { UserRecord } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'

/** A user who presented a valid token, or the cookie of a session. */
export interface UserCaller {
  kind: 'user'
  user: UserRecord
  /** API key through which the user signed in; identifies the application in logs. Absent in sessions, and where a secret stands for the user. */
  keyId?: KeyId
  /** The session of the browser that the request came from. */
  session?: Session
}

/** An application that presented a valid HMAC; acts for its key's company. */
export interface ApplicationCaller {
  kind: 'application'
  key: KeyRecord
}

export type Caller = UserCaller | ApplicationCaller

/** The caller as the one who makes the changes of a request. */
export function actorOf(caller: Caller, requestId: string): Actor {
  if (caller.kind === 'application') return { kind: 'application', keyId: caller.key.keyId, requestId }
  return { kind: 'user', userId: caller.user.userId, keyId: caller.keyId, requestId }
}
