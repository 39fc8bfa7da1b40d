import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { type RouteSettings, splitRoute } from '../../../shared/http/declaration/route.ts'
import { gatewayResponses } from './gateway-responses.ts'

/** Longest that API Gateway waits for a function, in seconds. */
export const GATEWAY_TIMEOUT_SECONDS = 29

/** The functions that the gateway sends requests to. */
export interface GatewayIntegration {
  /** ARN through which the gateway invokes a function, by its key. */
  invokeArn(key: string): string
  /** Key of the function that answers requests for no endpoint. */
  fallback: string
  /** ARN of the role by which the gateway invokes a function, by its key. */
  credentials(key: string): string
}

/**
 * The document from which the REST API is made: OpenAPI 3.0, which is what API Gateway imports, with paths and integrations only.
 * Schemas stay out, because functions validate and every byte counts against the limits of a template.
 * @throws Error when routes clash in a way that API Gateway refuses
 */
export function gatewayDocument(
  endpoints: Readonly<Record<string, Pick<Endpoint, 'route' | 'summary'>>>,
  integration: GatewayIntegration,
  settings: { title: string; brand: string } & RouteSettings,
) {
  const anyMethod = { 'x-amazon-apigateway-any-method': proxyTo(integration, integration.fallback) }
  const paths: Record<string, Record<string, unknown>> = { '/': { ...anyMethod }, '/{proxy+}': withParameters('/{proxy+}', anyMethod) }
  for (const [key, { route: declared, summary }] of Object.entries(endpoints)) {
    const route = declared(settings)
    const { method, path } = splitRoute(route)
    for (const known of prefixes(path)) paths[known] ??= withParameters(known, anyMethod)
    const verb = method.toLowerCase()
    const operations = paths[path]!
    if (operations[verb]) throw new Error(`two endpoints answer ${route}`)
    operations[verb] = { operationId: key, summary, ...proxyTo(integration, key) }
  }
  checkParameters(Object.keys(paths))
  return {
    openapi: '3.0.1',
    info: { title: settings.title, version: '1' },
    paths,
    // All types are binary. Functions get bodies in base64, so bytes that are no UTF-8 survive. Files leave as bytes whatever the request
    // accepts first: the gateway decides by that, and browsers don't begin with the type of a picture.
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-gateway-responses': gatewayResponses(settings.brand),
  }
}

/**
 * A path and all paths above it. The gateway makes a resource of each. It answers requests for a resource without a method itself, in spite
 * of `/{proxy+}`.
 */
function prefixes(path: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)
}

function proxyTo({ invokeArn, credentials }: GatewayIntegration, key: string) {
  const integration = { type: 'aws_proxy', httpMethod: 'POST', uri: invokeArn(key), credentials: credentials(key) }
  return { responses: {}, 'x-amazon-apigateway-integration': integration }
}

function withParameters(path: string, operations: Record<string, unknown>): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1])
  if (names.length === 0) return { ...operations }
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...operations }
}

/** API Gateway knows one parameter name at each place of its tree of paths (a rest-of-path parameter may stand beside it). */
function checkParameters(paths: readonly string[]): void {
  const names = new Map<string, string>()
  for (const path of paths) {
    const parts = path.split('/').slice(1)
    parts.forEach((part, at) => {
      if (!/^\{\w+\}$/.test(part)) return
      const place = parts.slice(0, at).join('/')
      const known = names.get(place)
      if (known && known !== part)
        throw new Error(`API Gateway takes one parameter name at /${place}/…, not ${known} and ${part} (${path})`)
      names.set(place, part)
    })
  }
}
