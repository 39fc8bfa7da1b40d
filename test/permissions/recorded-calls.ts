import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { permissionsOf, type SdkCall } from './sdk-calls.ts'

/** A call to AWS that a deployed function made. */
export interface RecordedCall extends SdkCall {
  /** Name of the function. */
  caller: string
}

/** A line of the record: a call, or a request whose permissions nobody knows. */
type Line = RecordedCall | { caller: string; unknown: string }

/** Bodies that name what a call is about; those of objects don't. */
const NAMING = /json|xml/

/**
 * Takes down what this process, a function's, asks AWS for: which right on what, and nothing else of a request. Of calls that differ in ids alone
 * the first is taken.
 *
 * @param path of the file that all functions write to
 */
export function recordCalls(path: string, accountId: string): void {
  const seen = new Set<string>()
  const take = (line: Line) => {
    const text = JSON.stringify(line)
    const kind = text.replaceAll(/[0-9a-f]{8,}|\d+/g, '#')
    if (!seen.has(kind)) appendFileSync(path, `${text}\n`)
    seen.add(kind)
  }
  const bodies = new WeakMap<ClientRequest, Buffer[]>()
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    if (isSigned(request) && NAMING.test(String(request.getHeader('content-type')))) bodies.set(request, keptOf(request))
  })
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
    if (!isSigned(request)) return
    const { AWS_LAMBDA_FUNCTION_NAME: caller = '', AWS_REGION: region = '' } = process.env
    const body = Buffer.concat(bodies.get(request) ?? []).toString()
    const { method, path: url } = request
    const headers = request.getHeaders() as Record<string, string>
    try {
      const calls = permissionsOf({ method, url, headers, body }, response.statusCode ?? 500, { region, accountId })
      for (const call of calls) take({ caller, ...call })
    } catch (error) {
      take({ caller, unknown: (error as Error).message })
    }
  })
}

/** Whether a function sends it with its own rights: only the SDK signs headers. */
const isSigned = (request: ClientRequest) => String(request.getHeader('authorization')).startsWith('AWS4-HMAC-SHA256')

/** What is written to a request from now on. */
function keptOf(request: ClientRequest): Buffer[] {
  const kept: Buffer[] = []
  for (const name of ['write', 'end'] as const) {
    const original = request[name].bind(request) as (...parts: unknown[]) => never
    request[name] = (...parts: unknown[]) => {
      const [chunk] = parts
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) kept.push(Buffer.from(chunk as string))
      return original(...parts)
    }
  }
  return kept
}

/** What the functions of a stack asked for. */
export function recordedCalls(path: string, stackName: string): { calls: RecordedCall[]; unknown: string[] } {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ caller }) => caller.startsWith(`${stackName}-`))
  const unknown = lines.flatMap((line) => ('unknown' in line ? `${line.caller}: ${line.unknown}` : []))
  return { calls: lines.filter((line) => 'action' in line), unknown: [...new Set(unknown)] }
}
