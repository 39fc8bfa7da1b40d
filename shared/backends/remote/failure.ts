/**
 * A service outside gave no usable answer. Messages name its host and what happened, never what was sent or answered: they go into the log,
 * and an answer of a stranger may hold anything.
 */
export class ServiceUnavailable extends Error {
  override name = 'ServiceUnavailable'
  /** Whether the service may have done what it was asked all the same: it may have got the request, and said neither yes nor no. */
  mayHaveActed: boolean
  constructor(message: string, { mayHaveActed = false } = {}) {
    super(message)
    this.mayHaveActed = mayHaveActed
  }
}

/** The service answered that it does not take this request (400, 413, 415 or 422): the same one would fail again. */
export class ServiceRefusal extends ServiceUnavailable {
  override name = 'ServiceRefusal'
}

/** The service is not there, too busy, broken or too slow. It counts for the circuit breaker; an answer that is merely wrong doesn't. */
export class ServiceDown extends ServiceUnavailable {
  override name = 'ServiceDown'
}
