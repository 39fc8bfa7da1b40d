import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../../listening.ts'
import type { Answer, Fault, Outcome, Request } from './fault.ts'
import { operationOf } from './operation.ts'

/** What goes wrong with a request, as its operation is named by the SDK; undefined leaves it alone. */
export type FaultPlan = (operation: string, request: Request) => Fault | undefined

/**
 * Stands before an engine and makes what engines don't: refusals, lost answers, broken connections, silence.
 *
 * @param engine address of the engine, plain HTTP
 */
export async function faultyEndpoint(engine: string) {
  let plan: FaultPlan | undefined
  let injected = 0
  const forward = (request: Request) => carriedOut(engine, request)

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = message
    const request = { method, path, headers, body: await buffer(message) }
    const fault = plan?.(operationOf(request), request)
    if (fault) injected += 1
    send(fault ? await fault(request, forward) : await forward(request), response)
  }

  const server = createServer((message, response) => {
    // Whatever goes wrong here or in the engine, the client sees as a broken connection.
    serve(message, response).catch(() => response.destroy())
  })
  const { url, stop } = await listening(server)
  return {
    url,
    /** What it does from now on; without a plan everything passes. */
    follow(next: FaultPlan | undefined) {
      plan = next
    },
    /** How many requests something was done to. */
    get injected() {
      return injected
    },
    close: stop,
  }
}

function send(outcome: Outcome, response: ServerResponse): void {
  if (outcome === 'silence') return
  if (outcome === 'broken') {
    response.destroy()
    return
  }
  response.writeHead(outcome.status, outcome.headers)
  if (outcome.cutAfter === undefined) response.end(outcome.body)
  else response.write(outcome.body.subarray(0, outcome.cutAfter), () => response.destroy())
}

/** Has the engine carry out a request: with the host that the client signed. */
async function carriedOut(engine: string, { method, path, headers: { expect: _, ...headers }, body }: Request): Promise<Answer> {
  const { hostname, port } = new URL(engine)
  const outgoing = httpRequest({ hostname, port, method, path, headers, setHost: false })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const { statusCode = 500, headers: told } = incoming
  const { 'transfer-encoding': chunked, connection: __, ...kept } = told
  const answer = await buffer(incoming)
  // Chunks were put together; an answer to HEAD has the length of what it doesn't carry.
  return { status: statusCode, headers: chunked ? { ...kept, 'content-length': String(answer.length) } : kept, body: answer }
}
