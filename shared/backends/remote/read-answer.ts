import type * as z from 'zod'
import { ServiceDown, ServiceRefusal, ServiceUnavailable } from './failure.ts'

/** Statuses that refuse the request itself. */
const REFUSALS = [400, 413, 415, 422]

/** Statuses of a proxy that got no answer from the service, or not in time. */
const LOST = [502, 504]

interface Expected<T> {
  /** Names the service in error messages. */
  host: string
  schema: z.ZodType<T>
  maxBytes: number
  /** Aborted at the call's time limit. */
  signal: AbortSignal
}

/**
 * Reads a service's answer by the schema; undefined for a 404 of the service itself. A 404 without JSON comes from a web server or proxy in
 * front of it.
 * @throws ServiceDown, ServiceRefusal, ServiceUnavailable
 */
export async function readAnswer<T>(response: Response, { host, schema, maxBytes, signal }: Expected<T>): Promise<T | undefined> {
  const { status } = response
  const isJson = /^application\/(json|problem\+json)\s*(;|$)/i.test(response.headers.get('content-type') ?? '')
  if (status === 200 && isJson) return parsed(await bodyOf(response, host, maxBytes, signal), host, schema)
  // The body isn't read, so this closes the connection, however large the body is.
  response.body?.cancel().catch(() => undefined)
  if (status === 404 && isJson) return undefined
  if (status === 429 || status >= 500) throw new ServiceDown(`${host} answered ${status}`, { mayHaveActed: LOST.includes(status) })
  if (REFUSALS.includes(status)) throw new ServiceRefusal(`${host} answered ${status}`)
  if (status >= 300 && status < 400) throw new ServiceUnavailable(`${host} redirected, which is not followed`)
  throw new ServiceUnavailable(`${host} answered ${status}${isJson ? '' : ' without JSON'}`, { mayHaveActed: status < 300 })
}

/** For successful answers that can't be used. */
const successful = { mayHaveActed: true }

async function bodyOf(response: Response, host: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new ServiceUnavailable(`${host} answered more than ${maxBytes} bytes`, successful)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceUnavailable) throw error
    throw new ServiceDown(`${host} ${signal.aborted ? 'did not finish its answer in time' : 'broke off its answer'}`, successful)
  }
  return Buffer.concat(chunks)
}

/** Error messages leave out the parsers' messages, because these quote the answer. */
function parsed<T>(body: Buffer, host: string, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ServiceUnavailable(`${host} answered what is no JSON`, successful)
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new ServiceUnavailable(`${host} answered JSON of another shape, first at ${problemOf(error)}`, successful)
}

/**
 * The place of the first problem, and its message if the schema defines it: zod's own messages may quote the answer. Sanitises and cuts the
 * place, because keys of records come from the answer.
 */
function problemOf({ issues: [issue] }: z.ZodError): string {
  const place = (issue?.path ?? []).map(String).join('.')
  const named = `"${place.replace(/[^\w.]/g, '?').slice(0, 60)}"`
  return issue?.code === 'custom' ? `${named}, which ${issue.message}` : named
}
