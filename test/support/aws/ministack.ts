import { fileURLToPath } from 'node:url'
import { type Engine, type RunningEngine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { pythonWith } from './python-environment.ts'

const version = '1.5.33'

/** Tables, buckets, queues, mail and secrets in one process; judges signatures and refuses unknown keys. */
export const ministack: Engine = {
  name: 'ministack',
  version,
  start: () => startMinistack(),
}

export interface MinistackOptions {
  /** Serves HTTPS: paths of a certificate that this process trusts, and of its key, in PEM. HTTP otherwise. */
  tls?: { certificate: string; key: string }
  /** Variables of its process, and so of the functions that it runs, on top of or instead of the house's. */
  environment?: Record<string, string>
  /** Where it listens, on loopback: a free port by default. */
  port?: number
}

/** The Python interpreter that has it, and with it AWS's botocore. @throws EngineUnavailable */
export function ministackPython(): Promise<string> {
  return pythonWith('ministack', version)
}

/** @throws EngineUnavailable when it can't be installed, Error when it doesn't answer */
export async function startMinistack({ tls, environment, port: given }: MinistackOptions = {}): Promise<RunningEngine> {
  const python = await ministackPython()
  const port = given ?? (await freePort())
  const address = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  const stop = await startProcess({
    name: ministack.name,
    command: python,
    args: () => [fileURLToPath(new URL('./start-ministack.py', import.meta.url))],
    environment: {
      AUTH: 'true',
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
      ...(tls ? { USE_SSL: '1', MINISTACK_SSL_CERT: tls.certificate, MINISTACK_SSL_KEY: tls.key } : {}),
      ...environment,
    },
    ready: `${address}/_ministack/health`,
  })
  return { environment: sdkEnvironment(address, { id: 'test', secret: 'test' }), stop }
}
