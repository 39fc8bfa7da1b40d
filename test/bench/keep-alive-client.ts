import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Asks one address after the other over one connection, with as little work of its own as possible. */
export interface KeepAliveClient extends Disposable {
  /** @returns the answer's body. @throws Error when its status isn't 200 */
  get(path: string): Promise<string>
}

/** @param authorization value of the header */
export function keepAliveClient({ baseUrl, authorization }: { baseUrl: string; authorization: string }): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async get(path) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const sent = request(baseUrl + path, { agent, headers: { authorization } }, async (response) => {
        const body = await text(response)
        if (response.statusCode === 200) resolve(body)
        else reject(new Error(`${path}: ${response.statusCode} ${body}`))
      })
      sent.on('error', reject).end()
      return promise
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
