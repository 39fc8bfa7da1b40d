import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Asks one address after the other over one connection, with as little work of its own as possible. */
export interface KeepAliveClient extends Disposable {
  /** @returns the answer's body. @throws Error when its status isn't 200 */
  get(path: string): Promise<string>
  /** Reads the answer without making text of it. @param etag what the client has. @returns status and bytes of the body */
  read(path: string, etag?: string): Promise<{ status: number; bytes: number; etag: string | undefined }>
}

/** @param authorization value of the header */
export function keepAliveClient({ baseUrl, authorization }: { baseUrl: string; authorization: string }): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request(baseUrl + path, { agent, headers: { authorization, ...headers } }, resolve)
      .on('error', reject)
      .end()
    return promise
  }
  return {
    async get(path) {
      const response = await send(path)
      const body = await text(response)
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${body}`)
      return body
    },
    async read(path, etag) {
      const response = await send(path, etag === undefined ? {} : { 'if-none-match': etag })
      let bytes = 0
      for await (const chunk of response) bytes += (chunk as Buffer).length
      return { status: response.statusCode!, bytes, etag: response.headers.etag }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
