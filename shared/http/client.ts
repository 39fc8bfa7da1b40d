import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type RouteSettings, splitRoute } from './route.ts'

/** An API client made from the table of endpoints: one method an endpoint, named by its key, typed by its schemas. */
export type ApiClient<T extends Record<string, Endpoint>> = {
  [Name in keyof T]: (input?: ClientInput<T[Name]>) => Promise<ClientAnswer<T[Name]>>
}

/** What is sent. Values are put into the path and the query as they are; `init` reaches `fetch`. */
export interface ClientInput<E extends Endpoint> {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly (string | number)[]>
  body?: E extends { body: infer S extends z.ZodType } ? z.input<S> : unknown
  /** Bytes of the file that the endpoint takes in a form. */
  file?: Uint8Array<ArrayBuffer>
  init?: RequestInit
}

/**
 * What came back. `body` is the parsed JSON (typed as that of a success: look at `status` first), the bytes of what is no JSON,
 * null when there was none.
 */
export interface ClientAnswer<E extends Endpoint> {
  status: number
  headers: Headers
  body: E extends { returns: infer R } ? (R extends z.ZodType ? z.output<R> : Uint8Array<ArrayBuffer>) : unknown
}

/** The service that is called, with its settings. */
export interface ClientOptions extends RouteSettings {
  baseUrl: string
  /** Value of the header; none is sent when absent. */
  authorization?: string
}

export function apiClient<T extends Record<string, Endpoint>>(endpoints: T, options: ClientOptions): ApiClient<T> {
  const calls = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    (input: ClientInput<Endpoint> = {}) => call(endpoint, input, options),
  ])
  return Object.fromEntries(calls)
}

async function call(endpoint: Endpoint, input: ClientInput<Endpoint>, options: ClientOptions) {
  const { method, path: template } = splitRoute(endpoint.route(options))
  const path = template.replace(/\{(\w+)\+?\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')))
  const url = new URL(options.baseUrl + path)
  for (const [name, value] of Object.entries(input.query ?? {}))
    url.searchParams.set(name, Array.isArray(value) ? value.join('+') : String(value))
  const headers = new Headers(input.init?.headers)
  if (options.authorization !== undefined && !headers.has('authorization')) headers.set('authorization', options.authorization)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) }
  const form = input.file && endpoint.file ? { body: formWith(endpoint.file.field, input.file) } : {}
  const response = await fetch(url, { redirect: 'manual', ...input.init, method, headers, ...body, ...form })
  return { status: response.status, headers: response.headers, body: await bodyOf(response) }
}

function formWith(field: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.set(field, new Blob([bytes]), 'file')
  return form
}

async function bodyOf(response: Response) {
  const bytes = await response.bytes()
  if (bytes.length === 0) return null
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true
  return isJson ? JSON.parse(new TextDecoder().decode(bytes)) : bytes
}
