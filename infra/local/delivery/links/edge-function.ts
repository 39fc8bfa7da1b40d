import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import type { Target } from '../../http/api-event.ts'

/** A request to the host of links, path and query as they were sent. */
export interface EdgeRequest extends Target {
  method: string
  requestId: string
}

/** What the edge function makes of a request: the answer, or what is asked of an origin, in its one form. */
export type EdgeVerdict =
  | { answer: { status: number; headers: Record<string, string>; body: string } }
  | {
      /** `copies` serves the file as it is, `renderer` makes a picture. */
      origin: 'copies' | 'renderer'
      /** `/<alias>/<id>`, or `/streams/<id>/<name>`. */
      path: string
      /** The transformation; empty for none, and for streams. */
      query: string
    }

/** Fields of CloudFront's events and answers. */
type Fields = Record<string, { value: string; multiValue?: { value: string }[] }>

interface Answer {
  statusCode: number
  headers: Fields
  body?: { data: string }
}

interface Request {
  uri: string
  querystring: string
}

const code = readFileSync(new URL('../../../aws/stack/link-request.js', import.meta.url), 'utf8')

/** The edge function of links, which CloudFront runs on AWS. @returns what runs it, in a context of its own */
export function openEdgeFunction(source = code): (request: EdgeRequest) => EdgeVerdict {
  let origin: 'copies' | 'renderer' = 'copies'
  const cf = {
    selectRequestOriginById(id: 'renderer') {
      origin = id
    },
  }
  const script = new Script(`${source.replace(/^import cf from 'cloudfront'$/m, '')}\nhandler`, { filename: 'link-request.js' })
  const handler = script.runInContext(createContext({ cf })) as (event: object) => Request | Answer
  return ({ method, path, query, requestId }) => {
    origin = 'copies'
    const result = handler({ context: { requestId }, request: { method, uri: path, querystring: fieldsOf(query), headers: {} } })
    if ('statusCode' in result) {
      const headers = Object.fromEntries(Object.entries(result.headers).map(([name, { value }]) => [name, value]))
      return { answer: { status: result.statusCode, headers, body: result.body?.data ?? '' } }
    }
    return { origin, path: result.uri, query: result.querystring }
  }
}

/** The parameters of a query as CloudFront hands them over: not decoded, those of one name together. */
function fieldsOf(query: string): Fields {
  const fields: Fields = Object.create(null)
  for (const parameter of query.split('&')) {
    if (parameter === '') continue
    const end = parameter.indexOf('=')
    const [name, value] = end < 0 ? [parameter, ''] : [parameter.slice(0, end), parameter.slice(end + 1)]
    const field = fields[name]
    if (!field) fields[name] = { value }
    else {
      field.multiValue ??= [{ value: field.value }]
      field.multiValue.push({ value })
    }
  }
  return fields
}
