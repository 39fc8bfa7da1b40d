/** A service that others wrote and that speaks AWS's protocols, over which the AWS adapters are tested. */
export interface Engine {
  name: string
  version: string
  /**
   * Installs it where needed and starts it on a free loopback port.
   * @param signal cuts an installation off
   * @throws EngineUnavailable
   */
  start(signal?: AbortSignal): Promise<RunningEngine>
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

/** The environment without anything that could lead to a real account. */
export function withoutAws(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('AWS_') || name === 'AWS_CA_BUNDLE'))
}
