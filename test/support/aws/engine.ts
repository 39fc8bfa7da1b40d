/** A service that others wrote and that speaks AWS's protocols, over which the AWS adapters are tested. */
export interface Engine {
  name: string
  version: string
  /**
   * Installs it where needed and starts it on a free loopback port.
   * @throws EngineUnavailable
   */
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

/** The environment that leads the AWS SDK to a service at `address`, and to no account. */
export function sdkEnvironment(address: string, key: { id: string; secret: string }): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: address,
    AWS_ACCESS_KEY_ID: key.id,
    AWS_SECRET_ACCESS_KEY: key.secret,
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
}

/** Takes everything out of this process's environment that could lead to a real account. */
export function leaveAws(): void {
  const kept = withoutAws(process.env)
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name]
}

/** The environment without anything that could lead to a real account. */
export function withoutAws(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('AWS_') || name === 'AWS_CA_BUNDLE'))
}
