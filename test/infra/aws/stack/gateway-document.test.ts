import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { gatewayDocument } from '../../../../infra/aws/stack/gateway-document.ts'
import { declaredRoute, type Route, splitRoute } from '../../../../shared/http/declaration/route.ts'
import { exposedHeaders } from '../../../../shared/http/kernel/headers.ts'
import { documentationEndpoints } from '../../../../shared/http/openapi/documentation.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import type { Json } from './synthesized.ts'

const integration = {
  invokeArn: (key: string) => `arn:${key}`,
  fallback: 'fallback',
  credentials: (key: string) => `arn:role-of-${key}`,
}
const allEndpoints = { ...endpoints, ...documentationEndpoints }
const settings = { ...defaultSettings, title: 'library' }
const document: Json = gatewayDocument(allEndpoints, integration, settings)

const declared = (...routes: Route[]) =>
  Object.fromEntries(routes.map((route, at) => [`key-${at}`, { route: declaredRoute(route), summary: route }]))
const documentOf = (...routes: Route[]): Json => gatewayDocument(declared(...routes), integration, settings)

/**
 * The function that API Gateway asks, as it finds it: it goes down its tree of resources, where a fixed part goes before a parameter, and
 * what leads nowhere is taken by the rest-of-path parameter. A resource without the method is answered by the gateway itself.
 */
function answering(paths: Json, method: string, path: string): string | undefined {
  const resources = new Set<string>(
    Object.keys(paths).flatMap((known) => known.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/') || '/')),
  )
  const matches = (resource: string) => {
    const [wanted, given] = [resource.split('/'), path.split('/')]
    return wanted.length === given.length && wanted.every((part, at) => part === given[at] || /^\{\w+\}$/.test(part))
  }
  // `{` comes behind all letters.
  const fixedFirst = (a: string, b: string) => (a < b ? -1 : 1)
  const resource = [...resources].filter(matches).sort(fixedFirst)[0] ?? '/{proxy+}'
  const operation = paths[resource]?.[method.toLowerCase()] ?? paths[resource]?.['x-amazon-apigateway-any-method']
  return operation?.['x-amazon-apigateway-integration'].uri
}

describe('the gateway document', () => {
  test('has a function for every method of every path, of every path above one, and for what is below', () => {
    for (const { route } of Object.values(allEndpoints)) {
      const parts = splitRoute(route(settings)).path.split('/').slice(1)
      for (const [at] of parts.entries()) {
        const path = `/${parts.slice(0, at + 1).join('/')}`
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          const declared = Object.entries(allEndpoints).find(([, endpoint]) => endpoint.route(settings) === `${method} ${path}`)
          assert.equal(answering(document.paths, method, path), `arn:${declared?.[0] ?? 'fallback'}`, `${method} ${path}`)
        }
        assert.equal(answering(document.paths, 'GET', `${path}/nothing/below`), 'arn:fallback', path)
      }
    }
  })

  test('refuses two endpoints of one route', () => {
    assert.throws(() => documentOf('GET /folder', 'GET /folder'), /two endpoints answer GET \/folder/)
  })

  test('refuses two parameter names at one place, which API Gateway does not take', () => {
    assert.throws(
      () => documentOf('GET /media/{id}', 'POST /media/{mediaId}/stream'),
      /one parameter name at \/media\/…, not \{id\} and \{mediaId\}/,
    )
  })
})

describe('answers that the gateway makes itself', () => {
  const responses: Record<string, Json> = document['x-amazon-apigateway-gateway-responses']

  test('all are errors of the same shape as those of functions, and carry the same headers', () => {
    for (const [type, { responseParameters, responseTemplates }] of Object.entries(responses)) {
      assert.deepEqual(
        responseParameters,
        Object.fromEntries(
          Object.entries({
            'X-Svc-Request-Id': 'context.requestId',
            'Access-Control-Allow-Origin': 'method.request.header.Origin',
            'Access-Control-Expose-Headers': `'${exposedHeaders('SVC')}'`,
            'Cache-Control': "'no-store'",
            Vary: "'Origin'",
            'X-Content-Type-Options': "'nosniff'",
            'Strict-Transport-Security': "'max-age=31536000'",
          }).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
        ),
        type,
      )
      const { message, code, request_id, ...rest } = JSON.parse(responseTemplates['application/json'])
      assert.ok(message.length > 0 && /^[a-z_]+$/.test(code), type)
      assert.deepEqual([request_id, rest], ['$context.requestId', {}], type)
    }
  })

  test('an unknown path or method is 404, too large is 413, throttled is 429, and the others keep their status', () => {
    for (const type of ['ACCESS_DENIED', 'EXPIRED_TOKEN', 'INVALID_SIGNATURE', 'MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND']) {
      assert.equal(responses[type].statusCode, '404', type)
      assert.equal(JSON.parse(responses[type].responseTemplates['application/json']).code, 'resource_not_found', type)
    }
    const others = ['REQUEST_TOO_LARGE', 'THROTTLED', 'DEFAULT_4XX', 'DEFAULT_5XX'].map((type) => responses[type].statusCode)
    assert.deepEqual(others, ['413', '429', undefined, undefined])
  })
})
