import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../../../../../dist/api.d.ts'
import { MediaLibraryError } from '../../../client/media-library-error.ts'

/** Shapes of the API's answers and bodies. */
export type Schemas = components['schemas']

/** What the session gives to requests, and what happens when it ends. */
export const session = {
  /** Repeated by every request that changes something. */
  csrf: '',
  /** Called when the service no longer knows the session. @returns whether there is another one, in which to go on */
  onEnd: async () => false,
}

/** Bodies of requests, for sending them again in another session. */
const bodies = new WeakMap<Request, ArrayBuffer>()

const bySession: Middleware = {
  async onRequest({ request }) {
    if (request.method === 'GET') return request
    request.headers.set('X-Csrf', session.csrf)
    // Not of a clone: its body is a stream, which tools of browsers don't show.
    const body = await request.arrayBuffer()
    if (body.byteLength === 0) return request
    const sent = new Request(request, { body })
    bodies.set(sent, body)
    return sent
  },
  async onResponse({ request, response, schemaPath }) {
    if (response.status !== 401 || schemaPath === '/session' || !(await session.onEnd())) return undefined
    const body = bodies.get(request)
    const again = new Request(request, body && { body })
    if (again.method !== 'GET') again.headers.set('X-Csrf', session.csrf)
    return fetch(again)
  },
}

/** The typed calls of the API. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  querySerializer: { array: { style: 'form', explode: false } },
})
api.use(bySession)

interface Answer<Data> {
  data?: Data | undefined
  error?: unknown
  response: Response
}

/** The data of a successful answer. @throws MediaLibraryError */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch((failure: unknown) => {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
    throw new MediaLibraryError(0, {})
  })
  if (!response.ok) throw new MediaLibraryError(response.status, typeof error === 'object' && error !== null ? { ...error } : {})
  return data as Data
}
