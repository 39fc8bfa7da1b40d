import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { gatewayDocument } from '../../../infra/stack/gateway-document.ts'
import { exposedHeaders } from '../../../shared/http/middleware/cors.ts'
import { documentationEndpoints } from '../../../shared/http/openapi/documentation.ts'
import { declaredRoute, type Route, splitRoute } from '../../../shared/http/route.ts'
import { defaultSettings } from '../../../shared/settings.ts'
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
  test('has a function for every method of every path, and of every path above one', () => {
    for (const { route } of Object.values(allEndpoints)) {
      const parts = splitRoute(route(settings)).path.split('/').slice(1)
      for (const [at] of parts.entries()) {
        const path = `/${parts.slice(0, at + 1).join('/')}`
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          const declared = Object.entries(allEndpoints).find(([, endpoint]) => endpoint.route(settings) === `${method} ${path}`)
          assert.equal(answering(document.paths, method, path), `arn:${declared?.[0] ?? 'fallback'}`, `${method} ${path}`)
        }
      }
    }
  })

  test('has one for what is below and beside its paths, too', () => {
    for (const path of ['/nothing', '/media/1/nothing', '/media/1/metadata/title/nothing', '/company/1/nothing']) {
      assert.equal(answering(document.paths, 'GET', path), 'arn:fallback', path)
    }
  })

  test('declares every parameter of a path', () => {
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1])
      assert.deepEqual(
        (item.parameters ?? []).map(({ name, in: place, required }: Json) => ({ name, place, required })),
        names.map((name) => ({ name, place: 'path', required: true })),
      )
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

  test('takes the same parameter name at different places, and fixed parts beside a parameter', () => {
    assert.doesNotThrow(() => documentOf('GET /media/{id}', 'GET /media/{id}/folder/{folderId}', 'GET /folder/{id}', 'GET /media/recent'))
  })
})

describe('answers that the gateway makes itself', () => {
  const responses: Record<string, Json> = document['x-amazon-apigateway-gateway-responses']

  test('all carry the request id, the echoed Origin and what goes with it', () => {
    for (const [type, { responseParameters }] of Object.entries(responses)) {
      assert.equal(responseParameters['gatewayresponse.header.X-Svc-Request-Id'], 'context.requestId', type)
      assert.equal(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin'], 'method.request.header.Origin', type)
      assert.equal(responseParameters['gatewayresponse.header.Access-Control-Expose-Headers'], `'${exposedHeaders('SVC')}'`, type)
      assert.equal(responseParameters['gatewayresponse.header.Cache-Control'], "'no-store'", type)
      assert.equal(responseParameters['gatewayresponse.header.Vary'], "'Origin'", type)
      assert.equal(responseParameters['gatewayresponse.header.X-Content-Type-Options'], "'nosniff'", type)
      assert.equal(responseParameters['gatewayresponse.header.Strict-Transport-Security'], "'max-age=31536000'", type)
    }
  })

  test('all are errors of the same shape as those of functions', () => {
    for (const [type, { responseTemplates }] of Object.entries(responses)) {
      const { message, code, request_id, ...rest } = JSON.parse(responseTemplates['application/json'])
      assert.ok(message.length > 0 && /^[a-z_]+$/.test(code), type)
      assert.equal(request_id, '$context.requestId', type)
      assert.deepEqual(rest, {}, type)
    }
  })

  test('an unknown path or method is 404, too large is 413, throttled is 429', () => {
    for (const type of ['ACCESS_DENIED', 'EXPIRED_TOKEN', 'INVALID_SIGNATURE', 'MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND']) {
      assert.equal(responses[type].statusCode, '404', type)
      assert.equal(JSON.parse(responses[type].responseTemplates['application/json']).code, 'resource_not_found', type)
    }
    assert.equal(responses.REQUEST_TOO_LARGE.statusCode, '413')
    assert.equal(responses.THROTTLED.statusCode, '429')
  })

  test('whatever else goes wrong keeps its status', () => {
    for (const type of ['DEFAULT_4XX', 'DEFAULT_5XX']) assert.equal(responses[type].statusCode, undefined)
  })

  test('follow the brand', () => {
    const branded: Json = gatewayDocument({}, integration, { ...settings, brand: 'CBX' })
    for (const response of Object.values<Json>(branded['x-amazon-apigateway-gateway-responses'])) {
      assert.equal(response.responseParameters['gatewayresponse.header.X-Cbx-Request-Id'], 'context.requestId')
    }
  })
})
