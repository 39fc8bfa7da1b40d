/** An emulator that others wrote, over which the AWS adapters are tested. */
export interface Engine {
  name: string
  /** Test files that run over it, as a glob from the project's root. */
  suites: string
  /** Installs it where needed and starts it on a free loopback port. @throws EngineUnavailable */
  start(): Promise<RunningEngine>
}

export interface RunningEngine {
  /** Environment variables that lead the AWS SDK, and nothing else of the machine, to it. */
  environment: Record<string, string>
  /** Ends its process and removes what it left on the disk. */
  stop(): Promise<void>
}

/** This machine can't have the engine (no Python, no way to the registry): its suites count as skipped. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable'
}
