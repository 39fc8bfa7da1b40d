/** Something that is wrong with the service. Public, so it reveals nothing about the library's contents or location. */
export interface HealthProblem {
  /** Stable, machine-readable: `disk_full`. */
  code: string
  /** A sentence for the operator. */
  message: string
  /** Whether requests fail because of it, so that a load balancer should send them elsewhere. */
  stops: boolean
}

/** Tells whether the service can do its work. */
export interface Health {
  /**
   * All problems; empty if the service is healthy. Takes only a few small reads, because anybody may call it at any rate. May return the
   * result of the last check. Never rejects.
   */
  problems(): Promise<HealthProblem[]>
}
