import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listening } from '../listening.ts'

/** Hosts of a deployed stack. */
const hosts = /^\w+\.cloudfront\.net:443$/

/**
 * A proxy on loopback that takes a client to the emulator instead of AWS: clients use a stack under its real addresses. It passes
 * encrypted bytes on, so everything from the handshake on is between the client and the emulator.
 * @param port of the emulator, on loopback
 */
export async function openTunnel(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => response.writeHead(501).end())
  server.on('connect', (request, client: Socket, head) => {
    const target = hosts.test(request.url ?? '') ? connect(port, '127.0.0.1') : undefined
    if (!target) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const both = [client, target]
    for (const [socket, other] of [both, both.toReversed()] as [Socket, Socket][]) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.write(head)
      client.pipe(target).pipe(client)
    })
  })
  const { url } = await listening(server)
  return {
    url,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
