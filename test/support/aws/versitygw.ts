import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { goProgram } from './go-program.ts'

/**
 * Buckets in folders. Of the servers of buckets that there are it models best what is used here: parts that are stored by signed URLs, conditions,
 * and a CRC-32 of whole objects that are assembled from copied parts.
 */
export const versitygw: Engine = {
  name: 'versitygw',
  version: 'v1.8.0',
  async start() {
    const command = await goProgram('versitygw', 'github.com/versity/versitygw/cmd/versitygw', this.version)
    const address = `127.0.0.1:${await freePort()}`
    const key = { id: 'test', secret: 'testtest' }
    const stop = await startProcess({
      name: this.name,
      command,
      args: (folder) => ['--quiet', '--keep-alive', '--health', '/health', '--port', address, 'posix', folder],
      environment: { ROOT_ACCESS_KEY: key.id, ROOT_SECRET_KEY: key.secret },
      ready: `http://${address}/health`,
    })
    return { environment: sdkEnvironment(`http://${address}`, key), stop }
  },
}
