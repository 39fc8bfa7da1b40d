import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { goProgram } from './go-program.ts'

const version = 'v0.0.0-20260212201848-7aac2a2c5b7c'

/** Buckets: the reference for bytes, signatures and upload forms. */
export const minio: Engine = {
  name: 'MinIO',
  version,
  async start(signal) {
    const program = await goProgram('minio', 'github.com/minio/minio', version, signal)
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const key = { id: 'test', secret: 'testtest' }
    const stop = await startProcess({
      name: this.name,
      command: program,
      args: (folder) => ['server', '--quiet', '--address', `127.0.0.1:${port}`, `${folder}/data`],
      environment: { MINIO_ROOT_USER: key.id, MINIO_ROOT_PASSWORD: key.secret, MINIO_BROWSER: 'off', MINIO_UPDATE: 'off' },
      ready: `${address}/minio/health/ready`,
    })
    return { environment: sdkEnvironment(address, key), stop }
  },
}
