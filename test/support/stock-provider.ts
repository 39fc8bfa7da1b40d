import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { SearchParameters } from '../../infra/clients/reference/remote-services/search-parameters.ts'
import type { RenditionSize } from '../../shared/vocabulary/rendition-size.ts'
import type { Answer } from './answering.ts'
import { listening } from './listening.ts'
import { findItems, type OfferedItem } from './stock-provider-search.ts'

/** A download that the provider counts. */
export interface Sale {
  item: number
  size: RenditionSize | null
  user: number
  company: number
  key: string
}

export type StockProvider = Awaited<ReturnType<typeof startStockProvider>>

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: object
}
interface Operation {
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}

const document = JSON.parse(readFileSync(new URL('../../shared/backends/remote/openapi.json', import.meta.url), 'utf8'))

/**
 * Starts a provider that answers as the OpenAPI file says, and holds both sides to it: it can't be disposed of when there was a request, or an
 * answer of its own, that the file doesn't allow.
 */
export async function startStockProvider() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: 'array', useDefaults: false })
  const check = (schema: object, value: unknown, what: string) => {
    const own = JSON.parse(JSON.stringify({ ...schema, components: document.components }))
    if (!ajv.validate(own, value)) throw new Error(`${what}: ${ajv.errorsText()}`)
  }
  const state = {
    /** What the library has to authenticate itself with. */
    key: 'the-key-of-the-library',
    items: new Map<number, OfferedItem>(),
    /** Each once, however often it was asked for. */
    sales: [] as Sale[],
    /** Requests so far, as `GET /api/items/1`. */
    requests: [] as string[],
    /** What it answers instead, until it is undefined again. */
    instead: undefined as Answer | undefined,
    /** How many of the next answers get lost after it has done what was asked. */
    loses: 0,
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider')
    const { method = '', headers } = request
    if (headers.authorization !== `Bearer ${state.key}`) return { status: 401, body: {} }
    const [path, id] = [pathname.replace('/api', '').replace(/\d+/, '{id}'), Number(/\d+/.exec(pathname)?.[0])]
    const operation: Operation | undefined = document.paths[path]?.[method.toLowerCase()]
    if (!operation) return { status: 404, body: { problem: 'no such operation' } }
    const given = parametersOf(operation, searchParams)
    check(given.schema, given.values, `${method} ${path}`)
    const sent = await text(request)
    const body = sent === '' ? undefined : JSON.parse(sent)
    if (operation.requestBody) check(operation.requestBody.content['application/json'].schema, body, `body of ${path}`)
    const answered =
      path === '/search'
        ? search(given.values)
        : method === 'GET'
          ? state.items.get(id)
          : download(id, { ...body, key: headers['idempotency-key'] })
    if (answered === undefined) return { status: 404, body: { problem: 'no such item' } }
    check(operation.responses[200]!.content['application/json'].schema, structuredClone(answered), `answer of ${path}`)
    return { status: 200, body: answered }
  }

  function search(given: object): object {
    const parameters = SearchParameters.parse(given)
    const found = findItems([...state.items.values()], parameters)
    return { total: found.length, items: found.slice(parameters.offset, parameters.offset + parameters.limit) }
  }

  function download(id: number, { size, ...sale }: Omit<Sale, 'item'>): object | undefined {
    const item = state.items.get(id)
    if (!item || (size !== null && !item.thumbnails?.[size])) return undefined
    if (!state.sales.some(({ key }) => key === sale.key)) state.sales.push({ item: id, size, ...sale })
    return { url: `${origin}/files/${id}/${size ?? 'original'}` }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    state.requests.push(`${request.method} ${request.url}`)
    if (state.instead) return state.instead(response)
    const { status, body } = await answer(request).catch((error: Error) => ({ status: 400, body: { problem: error.message } }))
    if (status === 400) violations.push(JSON.stringify(body))
    if (state.loses > 0) {
      state.loses--
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const violations: string[] = []
  const server = createServer((request, response) => void serve(request, response))
  const { url: origin, stop } = await listening(server)
  return Object.assign(state, {
    url: `${origin}/api`,
    async [Symbol.asyncDispose]() {
      await stop()
      if (violations.length > 0) throw new Error(`the OpenAPI file does not allow: ${violations.join('\n')}`)
    },
  })
}

/** Lists are repeated parameters. Numbers come as text, which the check turns into numbers. */
function parametersOf({ parameters }: Operation, given: URLSearchParams): { schema: object; values: Record<string, unknown> } {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const values: Record<string, unknown> = {}
  for (const name of new Set(given.keys())) {
    const all = given.getAll(name)
    values[name] = all.length > 1 ? all : all[0]
  }
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
      required: inQuery.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    values,
  }
}
