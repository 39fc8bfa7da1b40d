import findMyWay from 'find-my-way'
import { type Endpoint, maxBodyBytesOf } from '../../../shared/http/declaration/endpoint.ts'
import { type RouteSettings, splitRoute } from '../../../shared/http/declaration/route.ts'
import type { ApiHandler } from '../../../shared/http/kernel/kernel.ts'

/** What answers a request. */
export interface Destination {
  handler: ApiHandler
  /** As API Gateway names it: `/folder/{id}`. */
  resource: string
  /** Decoded; encoded slashes are part of the parameter that they are in. null when the route has none. */
  pathParameters: Record<string, string> | null
  /** Largest body to read, in bytes; Infinity where bodies are ignored, or have limits of their own. */
  maxBodyBytes: number
}

/** What a route needs to know of an endpoint. */
type Routed = Pick<Endpoint, 'route' | 'body' | 'maxBodyBytes'>

/** Longest path parameter, in characters once decoded: all that fits into the headers. */
const MAX_PARAMETER_LENGTH = 16_384

/**
 * Finds the endpoint of a request as API Gateway does. Case counts. A trailing slash doesn't, nor do several slashes in a row (a base URL
 * that ends in one). HEAD goes where GET goes. What no route matches (unknown path, other method, malformed percent sequence) goes to
 * `fallback`.
 */
export function router<E extends Routed>(
  endpoints: Readonly<Record<string, E>>,
  settings: RouteSettings,
  handlerOf: (endpoint: E) => ApiHandler,
  fallback: ApiHandler,
): (method: string, path: string) => Destination {
  // A fixed path goes before a parameter, whatever the method.
  const fixed = new Set<string>()
  const routes = findMyWay({ ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH })
  for (const endpoint of Object.values(endpoints)) {
    const { method, path: resource } = splitRoute(endpoint.route(settings))
    const rest = /\{(\w+)\+\}$/.exec(resource)?.[1]
    const pattern = resource.replace(/\{\w+\+\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')
    const maxBodyBytes = maxBodyBytesOf(endpoint)
    if (!resource.includes('{')) fixed.add(resource)
    routes.on(method, pattern, () => undefined, { resource, rest, handler: handlerOf(endpoint), maxBodyBytes } satisfies Route)
  }
  return (method, given) => {
    const path = given.includes('//') ? given.replace(/\/{2,}/g, '/') : given
    const found = routes.find((method === 'HEAD' ? 'GET' : method) as 'GET', path)
    const pathParameters = found && named(found.params as Record<string, string>, (found.store as Route).rest)
    if (!found || pathParameters === undefined || (pathParameters !== null && fixed.has(path.replace(/\/$/, '')))) {
      return { handler: fallback, resource: '/{proxy+}', pathParameters: null, maxBodyBytes: Number.POSITIVE_INFINITY }
    }
    const { handler, resource, maxBodyBytes } = found.store as Route
    return { handler, resource, pathParameters, maxBodyBytes }
  }
}

/**
 * Path parameters by the names that the route gives them, null when it has none; undefined when one is empty, which no route takes.
 * @param rest name of the parameter that takes the rest of the path
 */
function named(params: Record<string, string>, rest: string | undefined): Record<string, string> | null | undefined {
  let parameters: Record<string, string> | null = null
  for (const name in params) {
    const value = params[name]!
    if (value === '') return undefined
    parameters ??= {}
    parameters[name === '*' && rest !== undefined ? rest : name] = value
  }
  return parameters
}

interface Route extends Omit<Destination, 'pathParameters'> {
  /** Name of the parameter that takes the rest of the path. */
  rest: string | undefined
}
