import { type Engine, sdkEnvironment } from './engine.ts'
import { startProcess } from './engine-process.ts'
import { freePort } from './free-port.ts'
import { goProgram } from './go-program.ts'

/** What tells one server of buckets from another. */
interface GoBuckets {
  name: string
  /** Go package that is its program. */
  source: string
  version: string
  /** @param address host and port to listen on @param folder of its own */
  args(address: string, folder: string): string[]
  environment(key: { id: string; secret: string }): Record<string, string>
  /** Path that answers once it is ready. */
  health: string
}

/** A server of buckets that is built with Go. */
export function goBuckets({ name, source, version, args, environment, health }: GoBuckets): Engine {
  return {
    name,
    version,
    async start() {
      const command = await goProgram(name.toLowerCase(), source, version)
      const address = `127.0.0.1:${await freePort()}`
      const key = { id: 'test', secret: 'testtest' }
      const stop = await startProcess({
        name,
        command,
        args: (folder) => args(address, folder),
        environment: environment(key),
        ready: `http://${address}${health}`,
      })
      return { environment: sdkEnvironment(`http://${address}`, key), stop }
    },
  }
}
