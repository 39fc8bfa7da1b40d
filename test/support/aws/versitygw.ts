import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { goProgram } from './go-program.ts'

const version = 'v1.8.0'

/** Buckets in folders: the only one that keeps a CRC-32 of whole objects that are assembled from copied parts. */
export const versitygw: Engine = {
  name: 'versitygw',
  version,
  async start(signal) {
    const program = await goProgram('versitygw', 'github.com/versity/versitygw/cmd/versitygw', version, signal)
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const key = { id: 'test', secret: 'testtest' }
    const stop = await startProcess({
      name: this.name,
      command: program,
      args: (folder) => ['--quiet', '--keep-alive', '--health', '/health', '--port', `127.0.0.1:${port}`, 'posix', folder],
      environment: { ROOT_ACCESS_KEY: key.id, ROOT_SECRET_KEY: key.secret },
      ready: `${address}/health`,
    })
    return { environment: sdkEnvironment(address, key), stop }
  },
}
