import type { CompanyId } from '../../vocabulary/ids.ts'

/** Sends requests to addresses that clients name: it keeps them out of the operator's own network. */
export interface WebhookTargets {
  /** Why nothing may ever be sent to an address, to continue its name: `must be an https address`. Undefined where it may. */
  refusal(url: string): string | undefined
  /**
   * Posts JSON once, and reads little of what comes back. Never rejects: what went wrong is part of the answer.
   * @param message.companyId whose admins named the address
   * @param message.headers besides those that HTTP itself needs
   */
  post(url: string, message: WebhookMessage): Promise<TargetAnswer>
}

export interface WebhookMessage {
  companyId: CompanyId
  headers: Readonly<Record<string, string>>
  body: string
}

/** The outcome of a request. It tells no more of the answer's body than its size. */
export interface TargetAnswer {
  /** Absent where there was no answer. */
  status?: number
  /** How long it took. */
  milliseconds: number
  /** Size of the answer's body, as far as it was read. */
  bytes: number
  /** The failure in a word: `timeout`, `address_refused`, or the system's code: `ECONNREFUSED`. Absent where the answer came in time. */
  error?: string
  /** `Retry-After` as it was sent. */
  retryAfter?: string
}
