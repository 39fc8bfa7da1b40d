import type { KeyId, UserId } from '../vocabulary/ids.ts'

/**
 * Who made a change. Records that domain events tell of keep it as `by`: the actor of their last change. Records of earlier versions
 * have none until they change.
 */
export type Actor = UserActor | ApplicationActor | JobActor | OperatorActor

/** A request of a user. */
export type UserActor = {
  kind: 'user'
  userId: UserId
  /** API key through which the user signed in. Absent in sessions, and where a secret stood for the user: an upload's id, the code for a new password. */
  keyId?: KeyId
  requestId: string
}

/** A request of an application in its own name. */
export type ApplicationActor = {
  kind: 'application'
  keyId: KeyId
  requestId: string
}

/** A consumer of a queue or of the change stream, or a scheduled function. */
export type JobActor = {
  kind: 'job'
  /** Name of the function: `import-media`. */
  job: string
  /** Id of the message or change that started it, the same on redelivery; of a scheduled run its own. */
  run: string
}

/** The operator's command line. */
export type OperatorActor = {
  kind: 'operator'
  /** Name of the command: `user disable`. */
  command: string
}
