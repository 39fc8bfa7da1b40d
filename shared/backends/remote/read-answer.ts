import type * as z from 'zod'
import { ServiceDown, ServiceRefusal, ServiceUnavailable } from './failure.ts'

/** Statuses that say that the request itself isn't taken. */
const REFUSALS = [400, 413, 415, 422]

/** Statuses by which a proxy before the service says that it got no answer of it, or not in time. */
const LOST = [502, 504]

interface Expected<T> {
  /** Names the service in failures. */
  host: string
  schema: z.ZodType<T>
  maxBytes: number
  /** Aborted when the call's time is over. */
  signal: AbortSignal
}

/**
 * What a service answered, as the schema gives it; undefined where that is a 404 of the service itself: a web server or proxy before it that
 * doesn't know the address answers no JSON.
 * @throws ServiceDown, ServiceRefusal, ServiceUnavailable
 */
export async function readAnswer<T>(response: Response, { host, schema, maxBytes, signal }: Expected<T>): Promise<T | undefined> {
  const { status } = response
  const isJson = /^application\/(json|problem\+json)\s*(;|$)/i.test(response.headers.get('content-type') ?? '')
  if (status === 200 && isJson) return parsed(await bodyOf(response, host, maxBytes, signal), host, schema)
  // Nobody reads the body: the connection ends here, however much would come.
  response.body?.cancel().catch(() => undefined)
  if (status === 404 && isJson) return undefined
  if (status === 429 || status >= 500) throw new ServiceDown(`${host} answered ${status}`, { mayHaveActed: LOST.includes(status) })
  if (REFUSALS.includes(status)) throw new ServiceRefusal(`${host} answered ${status}`)
  if (status >= 300 && status < 400) throw new ServiceUnavailable(`${host} redirected, which is not followed`)
  throw new ServiceUnavailable(`${host} answered ${status}${isJson ? '' : ' without JSON'}`, { mayHaveActed: status < 300 })
}

/** Of an answer that says yes and can't be used. */
const saidYes = { mayHaveActed: true }

async function bodyOf(response: Response, host: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new ServiceUnavailable(`${host} answered more than ${maxBytes} bytes`, saidYes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceUnavailable) throw error
    throw new ServiceDown(`${host} ${signal.aborted ? 'did not finish its answer in time' : 'broke off its answer'}`, saidYes)
  }
  return Buffer.concat(chunks)
}

/** Neither what is wrong with the JSON nor with its contents is told: both quote what was answered. */
function parsed<T>(body: Buffer, host: string, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ServiceUnavailable(`${host} answered what is no JSON`, saidYes)
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new ServiceUnavailable(`${host} answered JSON of another shape, first at ${problemOf(error)}`, saidYes)
}

/**
 * Where the first problem is, and what it is where the schema says that itself: messages of zod's own may quote the answer. Names in the place
 * are those of the schema, and cut: names of a record's entries are the answer's.
 */
function problemOf({ issues: [issue] }: z.ZodError): string {
  const place = (issue?.path ?? []).map(String).join('.')
  const named = `"${place.replace(/[^\w.]/g, '?').slice(0, 60)}"`
  return issue?.code === 'custom' ? `${named}, which ${issue.message}` : named
}
