import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { type Method, splitRoute } from '../../../shared/http/declaration/route.ts'
import { openApiDocument } from '../../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../../shared/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape.
type Json = any

const document: Json = openApiDocument(endpoints, defaultSettings)
const operations: { name: string; method: Method; path: string; operation: Json; endpoint: Endpoint }[] = Object.entries(endpoints).map(
  ([name, declared]) => {
    const { method, path } = splitRoute(declared.route(defaultSettings))
    return { name, method, path, operation: document.paths[path][method.toLowerCase()], endpoint: declared }
  },
)
const operationOf = (name: string) => operations.find((each) => each.name === name)!.operation

/** Everything in the document, with where it stands. */
function* parts(held: Json = document, path = ''): Generator<[string, Json]> {
  yield [path, held]
  if (typeof held === 'object' && held !== null)
    for (const [name, part] of Object.entries(held)) yield* parts(part ?? null, `${path}/${name}`)
}

/** Each value in the examples of an operation, with its name: in braces where it is in the path. What stands in a list has the name of the list, or of the MD5 that it answers. */
function* namedExamples({ parameters = [], requestBody, responses }: Json): Generator<[string, Json]> {
  for (const { name, in: place, example, schema } of parameters)
    yield* values(place === 'path' ? `{${name}}` : name, example ?? schema?.items?.examples ?? schema?.examples ?? null)
  for (const { content = {} } of [requestBody ?? {}, ...Object.values<Json>(responses)])
    yield* values('', content['application/json']?.example ?? null)
}

function* values(name: string, held: Json): Generator<[string, Json]> {
  if (Array.isArray(held)) for (const one of held) yield* values(name, one)
  else if (typeof held === 'object' && held !== null) for (const [key, one] of Object.entries(held)) yield* values(key, one)
  else yield [name, held]
}

/** Names of ids, by what they are of. */
const idNames: Readonly<Record<string, RegExp>> = {
  folder: /^(folder(Id|_id|_ids)?|group_id|parent|trashed_from|from|to|add)$/,
  media: /^(media(_id|_ids)?|unique_media_id|ids|old|new|existing|cover_photo_id|thumbnail_id|replaces|[0-9a-f]{32})$/,
  company: /^(company(Id|_id|_ids)?|companies|svc_id)$/,
  user: /^(user|userId|user_ids?|ownerIdentifier|uploaded_by)$/,
  clique: /^clique_id$/,
  key: /^key_id$/,
  share: /^share(_id|Id)$/,
  upload: /^upload(Id|_id)$/,
  webhook: /^webhookId$/,
  event: /^event_ids?$/,
  secret: /^secret$/,
  token: /^(token|tokenString)$/,
  csrf: /^csrf$/,
}

/** What an id is of. The `id` of a path is of what stands before it; those of answers have no name that says it. */
function kindOfId(path: string, named: string): string | undefined {
  const name = named.replace(/[{}]/g, '')
  if (name === 'job_id') return path.includes('bulk') ? 'bulk' : path.includes('failedjobs') ? 'job' : 'zip'
  if (named === '{id}') return /(\w+)\/\{id\}/.exec(path)?.[1]?.replace('sso', 'provider')
  return Object.keys(idNames).find((kind) => idNames[kind]!.test(name))
}

const isId = (name: string) => /^(id|.*_id|.*Id|from|to|folder|ownerIdentifier|companyId|uploaded_by|parent|user)$/.test(name)

describe('the published document', () => {
  test('ids are integers from 1 to 2147483647 in paths, queries, bodies and answers', () => {
    const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
    const isInteger = (schema: Json): boolean => {
      const one = schema.items ?? schema.anyOf?.[schema.anyOf.findIndex((each: Json) => each.type === 'integer')] ?? schema
      return Object.entries(id).every(([keyword, value]) => one[keyword] === value || one[keyword]?.includes?.(value))
    }
    const ofNobody = ['/FoundStockItem/properties/uploaded_by', '/Media/properties/uploaded_by']
    const exceptions = [
      ...['uploadId', 'upload_id', 'job_id', 'webhookId', 'shareId', 'share_id', 'event_id', 'request_id'],
      ...['Event', 'ShareLink', 'NewShareLink', 'Webhook', 'CreatedWebhook', 'Delivery', 'UserFolder'].map(
        (name) => `/${name}/properties/id`,
      ),
      ...['/ReplayInput/properties/from', '/ReplayInput/properties/to', '/UserFolder/properties/company_id', ...ofNobody],
    ]
    const ids = [...parts()].flatMap(([path, held]) => {
      if (held?.in === 'path' && isId(held.name)) return [[`${path} ${held.name}`, held.schema]]
      return /\/properties\/\w+$/.test(path) && isId(path.split('/').at(-1)!) ? [[path, held]] : []
    })
    assert.ok(ids.length > 60)
    for (const [path, schema] of ids)
      if (!exceptions.some((each) => path.endsWith(each))) assert.ok(isInteger(schema), `${path} ${JSON.stringify(schema)}`)
  })

  test('examples give ids of two kinds nothing in common', () => {
    // 0 is nobody's: it says who uploaded an item of the stock library.
    const kinds = new Map<unknown, Set<string>>()
    for (const { path, operation } of operations) {
      for (const [name, value] of namedExamples(operation)) {
        const kind = kindOfId(path, name)
        if (kind !== undefined && value) kinds.set(value, (kinds.get(value) ?? new Set()).add(kind))
      }
    }
    assert.ok(kinds.size >= 18)
    for (const [value, some] of kinds) assert.equal(some.size, 1, `${value}: ${[...some].join()}`)
    // Nor is the number of one that of anything else.
    for (const { path, operation } of operations) {
      for (const [name, value] of namedExamples(operation))
        if (typeof value === 'number' && kinds.has(value)) assert.ok(name === 'id' || kindOfId(path, name), `${path} ${name} ${value}`)
    }
  })

  test('a search of the stock library takes what a search of own media takes, a language, and no folders', () => {
    const names = (name: string): string[] => operationOf(name).parameters.map((parameter: Json) => parameter.name)
    const expected = names('search-media').filter((name) => name !== 'folder_ids')
    assert.deepEqual(names('search-stock').sort(), [...expected, 'lang'].sort())
    const values = operationOf('search-stock').parameters.find(({ name }: Json) => name === 'return_values').schema.items.enum
    assert.ok(values.includes('folder_id') && !values.includes('folder_ids'))
  })

  test('every change of metadata and files takes If-Match, and what begins an upload, whose end may be refused for a version', () => {
    const changesMetadata = ({ method, path }: (typeof operations)[number]) =>
      method !== 'GET' && /^\/media\/\{id\}\/(metadata|focal_point|history|files)/.test(path)
    const [begins, ends] = [
      new Set(['register-upload', 'begin-multipart-upload']),
      new Set(['finalize-upload', 'complete-multipart-upload']),
    ]
    for (const each of operations) {
      const { parameters = [], responses } = each.operation
      const takes = parameters.some(({ name }: Json) => name === 'If-Match')
      const expected = changesMetadata(each) || begins.has(each.name)
      assert.deepEqual([takes, '412' in responses], [expected, expected || ends.has(each.name)], each.name)
    }
  })

  test('every request that changes something for a known caller takes Idempotency-Key', () => {
    for (const { name, method, operation, endpoint: declared } of operations) {
      // The keys of people without an account would be those of the maker of their link.
      const isKnown = !['anyone', 'session', 'share link'].includes(declared.access)
      const changes = method !== 'GET' && isKnown && (declared.uses.table?.startsWith('write') ?? false)
      const takes = (operation.parameters ?? []).some((parameter: Json) => parameter.name === 'Idempotency-Key')
      assert.deepEqual([takes, declared.idempotent ?? false], [changes, changes], name)
      assert.equal('422' in operation.responses, changes || (declared.refuses?.includes('mismatch') ?? false), name)
    }
  })

  test('answers are open', () => {
    for (const [path, held] of parts()) {
      if (held?.additionalProperties === false) assert.match(path, /\/schemas\/\w+Input$/)
    }
  })

  test('says how each operation is authorized', () => {
    const expected: Record<Endpoint['access'], string[]> = {
      anyone: [],
      session: [],
      user: ['token'],
      'user or application': ['token', 'hmac'],
      'share link': [],
      'password reset application': ['hmac'],
    }
    for (const { name, method, operation, endpoint } of operations) {
      const schemes = operation.security.map((each: object) => Object.keys(each).join())
      const authorized = expected[endpoint.access]
      const inQuery = authorized.length > 0 && method === 'GET' ? ['authorizationParameter'] : []
      const takesSessions = !['anyone', 'share link', 'password reset application'].includes(endpoint.access)
      const session = takesSessions ? [method === 'GET' ? 'sessionCookie' : 'sessionCookie,csrf'] : []
      assert.deepEqual(schemes, [...authorized, ...inQuery, ...session], name)
    }
    const { hmac, authorizationParameter } = document.components.securitySchemes
    assert.match(hmac.description, /300 seconds/)
    assert.deepEqual([authorizationParameter.in, authorizationParameter.name], ['query', 'Authorization'])
  })

  test('every operation has a description, a tag that is explained, and an example of what it takes and gives', () => {
    const tags = document.tags.map(({ name }: Json) => name)
    for (const { name, operation } of operations) {
      assert.match(operation.description, /^[A-Z`].*\.$/s, name)
      assert.ok(tags.includes(operation.tags[0]), name)
      for (const { name: parameter, required, example, content } of operation.parameters ?? []) {
        if (required) assert.ok(example !== undefined || content, `${name} ${parameter}`)
      }
      for (const { content = {} } of [operation.requestBody ?? {}, operation.responses[200] ?? {}]) {
        if (content['application/json']) assert.ok(content['application/json'].example !== undefined, name)
      }
    }
  })

  test('follows the brand', () => {
    const branded: Json = openApiDocument(endpoints, { ...defaultSettings, brand: 'CBX' })
    assert.ok(branded.components.schemas.Clique.properties.cbx_id)
    assert.ok(branded.components.responses.NotFound.headers['X-Cbx-Request-Id'])
    assert.match(branded.components.securitySchemes.token.description, /CBX-SIMPLE-TOKEN/)
    assert.ok(!JSON.stringify(branded).includes('svc_id'))
  })
})
