/** Something that is wrong with the service. It is public, so it tells nothing of the library's contents or location. */
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
  /** All problems; none when the service is well. Takes only a few small reads, because anybody may call it at any rate. It may be what the last look saw. Never rejects. */
  problems(): Promise<HealthProblem[]>
}
