/** Something that is wrong with the service. Anybody may read it: it says nothing of what the library holds, nor where. */
export interface HealthProblem {
  /** Stable, machine-readable: `disk_full`. */
  code: string
  /** A sentence for the operator. */
  message: string
  /** Whether requests fail because of it, so that they had better go elsewhere. */
  stops: boolean
}

/** Tells whether the service can do its work. */
export interface Health {
  /** What is wrong; nothing when all is well. Costs a few small reads, because anybody may ask as often as they like. Never rejects. */
  problems(): Promise<HealthProblem[]>
}
