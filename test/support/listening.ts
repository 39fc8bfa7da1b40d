import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Has a server listen on a free port of loopback. */
export async function listening(server: Server | HttpServer) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    },
  }
}
