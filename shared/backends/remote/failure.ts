/**
 * An external service gave no usable answer. Messages contain its host and what happened, never parts of request or answer: they are
 * logged, and an untrusted answer may contain anything.
 */
export class ServiceUnavailable extends Error {
  override name = 'ServiceUnavailable'
  /** Whether the service may have acted on the request although its answer is missing or unusable. */
  mayHaveActed: boolean
  constructor(message: string, { mayHaveActed = false } = {}) {
    super(message)
    this.mayHaveActed = mayHaveActed
  }
}

/** The service refused this request (400, 413, 415 or 422); a retry would fail, too. */
export class ServiceRefusal extends ServiceUnavailable {
  override name = 'ServiceRefusal'
}

/** The service is unreachable, overloaded, broken or too slow. Counts for the circuit breaker, unlike an invalid answer. */
export class ServiceDown extends ServiceUnavailable {
  override name = 'ServiceDown'
}
