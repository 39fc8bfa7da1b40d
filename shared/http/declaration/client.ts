import type { z } from 'zod'
import { type Endpoint, isBytesBody } from './endpoint.ts'
import { type RouteSettings, splitRoute } from './route.ts'

/** An API client made from the table of endpoints: one method an endpoint, named by its key, typed by its schemas. */
export type ApiClient<T extends Record<string, Endpoint>> = {
  [Name in keyof T]: (input?: ClientInput<T[Name]>) => Promise<ClientAnswer<T[Name]>>
}

/** Input of one call. Values of params and query are sent unchecked; `init` is passed to `fetch`. */
export interface ClientInput<E extends Endpoint> {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly (string | number)[]>
  /** JSON, or a file where the endpoint takes one. */
  body?: E extends { body: infer S } ? (S extends z.ZodType ? z.input<S> : Uint8Array<ArrayBuffer>) : unknown
  init?: RequestInit
}

/**
 * Answer of one call. `body` is the parsed JSON, the bytes where the answer isn't JSON, or null where it is empty. It has the type of a
 * success: check `status` first.
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
  const body = input.body === undefined ? {} : { body: encoded(endpoint.body, input.body, headers) }
  const response = await fetch(url, { redirect: 'manual', ...input.init, method, headers, ...body })
  return { status: response.status, headers: response.headers, body: await bodyOf(response) }
}

/** @param headers `Content-Type` is set in them where it is missing and `fetch` doesn't set it */
function encoded(declared: Endpoint['body'], body: unknown, headers: Headers): string | FormData | Uint8Array<ArrayBuffer> {
  const isFile = isBytesBody(declared) && body instanceof Uint8Array
  if (isFile && declared.field !== undefined) {
    const form = new FormData()
    form.set(declared.field, new Blob([new Uint8Array(body)]), 'file')
    return form
  }
  if (!headers.has('content-type')) headers.set('content-type', isFile ? (declared.mediaTypes[0] ?? '') : 'application/json')
  return isFile ? new Uint8Array(body) : JSON.stringify(body)
}

async function bodyOf(response: Response) {
  const bytes = await response.bytes()
  if (bytes.length === 0) return null
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true
  return isJson ? JSON.parse(new TextDecoder().decode(bytes)) : bytes
}

/** What `POST /upload/register` answers: the form to post a file with. */
export interface UploadForm {
  action: string
  /** The file's own has no value. */
  fields: readonly { name: string; value?: string | undefined }[]
}

/** Posts a file with an upload form, as a browser does. @param init goes to `fetch`, which follows the redirect that finalizes the upload */
export function postUploadForm(
  { action, fields }: UploadForm,
  { bytes, filename }: { bytes: Uint8Array<ArrayBuffer>; filename: string },
  init: RequestInit = {},
): Promise<Response> {
  const data = new FormData()
  for (const { name, value } of fields) if (value !== undefined) data.append(name, value)
  data.append('file', new Blob([bytes]), filename)
  return fetch(action, { ...init, method: 'POST', body: data })
}
