import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from './aws/free-port.ts'
import { listening } from './listening.ts'

/** A request that goes over the line. */
export interface Carried {
  method: string
  /** Path and query. */
  url: string
  idempotencyKey: string | undefined
}

/**
 * What becomes of a request: `break` before the service sees it, `cut` its answer in the middle, `lose` all of it, or an answer instead of the
 * service's. Undefined: it arrives, and its answer too.
 */
export type Fault = 'break' | 'cut' | 'lose' | { status: number; headers?: Record<string, string>; body?: object } | undefined

/** A line to a service on which things go wrong. */
export interface UnsteadyLine {
  url: string
  /** Of the service that it leads to: so forms and parts are sent over it, too. */
  settings: { PORT: string; BASE_URL: string }
  carried: Carried[]
  /** Decides about each request; at first everything passes. */
  fault(of: Carried): Fault
  close(): Promise<void>
}

export async function unsteadyLine(): Promise<UnsteadyLine> {
  const port = await freePort()
  const server = createServer((request, response) => void carry(request, response).catch(() => response.destroy()))
  const { url, stop } = await listening(server)
  const line: UnsteadyLine = {
    url,
    settings: { PORT: String(port), BASE_URL: url },
    carried: [],
    fault: () => undefined,
    close: stop,
  }
  return line

  async function carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const carried = { method, url, idempotencyKey: headers['idempotency-key'] as string | undefined }
    line.carried.push(carried)
    const fault = line.fault(carried)
    if (fault === 'break') return void response.destroy()
    if (typeof fault === 'object') {
      request.resume()
      await once(request, 'end')
      return void response.writeHead(fault.status, fault.headers).end(fault.body && JSON.stringify(fault.body))
    }
    const onward = httpRequest(`http://127.0.0.1:${port}${url}`, { method, headers })
    request.pipe(onward)
    request.once('close', () => request.complete || onward.destroy())
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    if (fault === 'lose') {
      await once(answer.resume(), 'end')
      return void response.destroy()
    }
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    if (fault === 'cut') answer.once('data', (some) => response.write(some.subarray(0, some.length / 2), () => response.destroy()))
    else answer.pipe(response)
  }
}
