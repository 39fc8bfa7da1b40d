import type { CompanyId } from '../../vocabulary/ids.ts'

/** Sends requests to addresses that clients name, but never into the operator's own network. */
export interface WebhookTargets {
  /** Why an address is not allowed, to follow its name in a sentence: `must be an https address`. Undefined if it is allowed. */
  refusal(url: string): string | undefined
  /**
   * Posts JSON once, and reads only a little of the answer. Never rejects: failures are part of the result.
   * @param message.companyId the company whose admins named the address
   * @param message.headers besides those that HTTP itself needs
   */
  post(url: string, message: WebhookMessage): Promise<TargetAnswer>
}

export interface WebhookMessage {
  companyId: CompanyId
  headers: Readonly<Record<string, string>>
  body: string
}

/** The outcome of a request. Contains nothing of the answer's body but its size. */
export interface TargetAnswer {
  /** Absent if there was no answer. */
  status?: number
  /** Duration of the request. */
  milliseconds: number
  /** Bytes of the answer's body that were read. */
  bytes: number
  /** The failure in a word: `timeout`, `address_refused`, or the system's code: `ECONNREFUSED`. Absent if the answer came in time. */
  error?: string
  /** `Retry-After` as sent. */
  retryAfter?: string
}
