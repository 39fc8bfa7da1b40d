import { notedNetwork } from '../network.ts'
import type { KeyId, ProviderId, UserId } from '../vocabulary/ids.ts'

/** The actor of a change. Records that domain events tell of keep it as `by`: the actor of their last change. */
export type Actor = UserActor | ApplicationActor | ProviderActor | JobActor | OperatorActor

/** The request behind a change. */
export type ByRequest = {
  requestId: string
  /** The request's network: the /24 of an IPv4 address, the /48 of an IPv6 one. */
  network?: string
}

/** A request of a user. */
export type UserActor = ByRequest & {
  kind: 'user'
  userId: UserId
  /**
   * API key through which the user signed in. Absent in sessions, and where a secret authenticates the user: an upload's id, a code for a
   * new password.
   */
  keyId?: KeyId
  /** The share link of the request. The user is then the link's maker, not its visitor. */
  shareId?: string
}

/** A request of an application in its own name. */
export type ApplicationActor = ByRequest & {
  kind: 'application'
  keyId: KeyId
}

/** An OpenID Connect provider, while it signs a user on. */
export type ProviderActor = ByRequest & {
  kind: 'provider'
  providerId: ProviderId
}

/** A job, a consumer of a queue or of the change stream, or a scheduled function. It has a request if one caused it. */
export type JobActor = Partial<ByRequest> & {
  kind: 'job'
  /** Name of the function: `import-media`. */
  job: string
  /** Id of the message or change that started it, the same on redelivery. A scheduled run has an id of its own. */
  run: string
}

/** The operator's command line. */
export type OperatorActor = {
  kind: 'operator'
  /** Name of the command: `user disable`. */
  command: string
}

/** An actor as others see it. Empty for visitors of share links, jobs and the operator. */
export type ShownActor = { userId?: UserId; keyId?: KeyId }

/** The actor that events and the history of a file show. */
export function actorShown(by: Actor | undefined): ShownActor {
  // Visitors of share links have no account.
  if (by?.kind === 'user' && by.shareId !== undefined) return {}
  if (by?.kind === 'user') return { userId: by.userId }
  return by?.kind === 'application' ? { keyId: by.keyId } : {}
}

/** What is recorded of a request. */
export function byRequest({ requestId, sourceAddress }: { requestId: string; sourceAddress: string }): ByRequest {
  const network = notedNetwork(sourceAddress)
  return { requestId, ...(network !== undefined && { network }) }
}

/** The request of an actor. Empty if there is none. */
export function requestOf(by: Actor | undefined): Partial<ByRequest> {
  if (by === undefined || by.kind === 'operator') return {}
  const { requestId, network } = by
  return { ...(requestId !== undefined && { requestId }), ...(network !== undefined && { network }) }
}
