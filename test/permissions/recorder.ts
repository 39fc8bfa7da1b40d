import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { permissionsOf, type SdkCall, type WireRequest } from './sdk-calls.ts'

export interface RecordedCall extends SdkCall {
  /** Name of the function. */
  caller: string
}

/** Looks at a request before it is passed on. */
export type Interceptor = (request: { method: string; url: string }) => Promise<'pass' | 'fail'>

/** Stands between functions and an emulator and takes down what each asks for. */
export interface Recorder {
  calls: readonly RecordedCall[]
  /** Values of secrets that were written or read. */
  secrets: readonly string[]
  /** Requests whose permissions nobody knows. */
  unknown: readonly string[]
  /** The emulator's address for one caller: whatever comes in there was asked by it. */
  addressFor(caller: string): Promise<string>
  /** From now on the emulator gets no request before this has seen it, and those that it makes `fail` not at all; `undefined` ends that. */
  intercept(interceptor: Interceptor | undefined): void
  close(): Promise<void>
}

/** The part of a body that is read for names: forms and calls name what they are about before anything long. */
const NAMES_WITHIN = 1024 ** 2

/** @param addressOf what a request is passed on to: the emulator, or what stands in for what it lacks */
export function record(
  addressOf: (request: Pick<WireRequest, 'url' | 'headers'>) => string,
  where: { region: string; accountId: string },
): Recorder {
  const calls: RecordedCall[] = []
  const unknown: string[] = []
  const secrets = new Set<string>()
  const servers: Server[] = []
  let interceptor: Interceptor | undefined

  async function pass(caller: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const { method = 'GET', url = '/', headers } = incoming
    const fate = await interceptor?.({ method, url })
    const answer = fate === 'fail' ? undefined : await answerOf(addressOf({ url, headers }), incoming, body)
    for (const text of [body, answer?.body]) for (const secret of secretsIn(text)) secrets.add(secret)
    try {
      const request = { method, url, headers, body: body.toString('utf8', 0, NAMES_WITHIN) }
      calls.push(...permissionsOf(request, answer?.status ?? 500, where).map((call) => ({ ...call, caller })))
    } catch (error) {
      unknown.push(`${caller}: ${(error as Error).message}`)
    }
    outgoing.writeHead(answer?.status ?? 500, answer?.headers).end(answer?.body)
  }

  return {
    calls,
    get secrets() {
      return [...secrets]
    },
    unknown,
    async addressFor(caller) {
      const server = createServer((incoming, outgoing) => {
        pass(caller, incoming, outgoing).catch(() => outgoing.destroy())
      }).listen(0, '127.0.0.1')
      servers.push(server)
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    intercept(next) {
      interceptor = next
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

/** Values in what Secrets Manager takes and gives. */
function secretsIn(body: Buffer | undefined): string[] {
  if (!body || body.length > NAMES_WITHIN || !body.includes('"SecretString"')) return []
  return [(JSON.parse(body.toString()) as { SecretString: string }).SecretString]
}

/** Sends a request on as it is, `Host` included, which its signature covers. */
async function answerOf(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const request = ask(new URL(url ?? '/', target), { method, headers: { ...headers, connection: 'close' } }).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { 'transfer-encoding': _, connection: __, ...rest } = response.headers
  return { status: response.statusCode ?? 500, headers: rest, body: method === 'HEAD' ? undefined : await buffer(response) }
}
