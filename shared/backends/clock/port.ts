/** The time, as a port so that tests can move it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch, UTC. */
  now(): number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() }
