import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail server on this machine. @param refuses whether a message is refused for good */
export async function startMailServer(options: SMTPServerOptions = {}, refuses: (message: string) => boolean = () => false) {
  const received: Buffer[] = []
  const signedIn: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    async onData(stream, _session, callback) {
      const message = await buffer(stream)
      if (refuses(message.toString())) return callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
      received.push(message)
      callback()
    },
    onAuth({ username, password }, _session, callback) {
      signedIn.push(`${username}:${password}`)
      callback(null, { user: username })
    },
    ...options,
  })
  // A client may abort the handshake; that is no error of the server.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    /** Received messages, in order. */
    received,
    /** Who signed in, as `user:password`. */
    signedIn,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
