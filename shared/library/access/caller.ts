import type { KeyRecord } from '../accounts/api-keys.ts'
import type { UserRecord } from '../accounts/users.ts'

/** A user who presented a valid token. */
export interface UserCaller {
  kind: 'user'
  user: UserRecord
  /** API key through which the user signed in; identifies the application in logs. */
  keyId: number
}

/** An application that presented a valid HMAC; acts for its key's company. */
export interface ApplicationCaller {
  kind: 'application'
  key: KeyRecord
}

export type Caller = UserCaller | ApplicationCaller
