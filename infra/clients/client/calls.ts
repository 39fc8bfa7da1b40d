import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import type { paths } from '../../../dist/api.d.ts'
import { errorOf, failureOf } from './media-library-error.ts'
import { retryingFetch, TRIES, type wait } from './retries.ts'

/**
 * A call of one method: the path as the API document has it, and `params`, `body`, `signal`. Resolves to what the service answers.
 * @throws MediaLibraryError
 */
export type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: RequiredKeysOf<Init> extends never ? [Init?] : [Init]
) => Promise<NonNullable<FetchResponse<paths[Path][Method] & Record<string, unknown>, Init, MediaType>['data']>>

/** All endpoints of the service, typed by its API document. */
export interface Calls {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  delete: Call<'delete'>
}

export interface CallOptions {
  baseUrl: string
  /** Sent with every request. */
  headers: Record<string, string>
  /** How often a request is tried: by default 5 times, and 15 times for an upload. */
  tries?: number | undefined
}

/** Makes typed calls of a service. @param waiting how it waits between two tries */
export function callsOf({ baseUrl, headers, tries = TRIES }: CallOptions, waiting?: typeof wait): Calls {
  const client = createClient<paths>({
    baseUrl,
    headers,
    fetch: retryingFetch(tries, waiting),
    querySerializer: { array: { style: 'form', explode: false } },
  })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw errorOf(response.status, await response.text())
    },
    onError({ error, request }) {
      if (!request.signal.aborted) return failureOf(error)
    },
  })
  const request = client.request as unknown as (method: string, path: string, init?: object) => Promise<{ data?: unknown }>
  const call = (method: string) => async (path: string, init?: object) => (await request(method, path, init)).data
  return { get: call('get'), post: call('post'), put: call('put'), delete: call('delete') } as unknown as Calls
}
