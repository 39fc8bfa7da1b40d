import {
  type EdgeEvent,
  type EdgeRequest as EventRequest,
  type EdgeResponse as EventResponse,
  type Fields,
  handleLinkEvent,
  type Origins,
} from '../../../../shared/http/protocol/link-request.ts'
import type { Target } from '../../http/api-event.ts'

/** A request to the host of links, path and query as they were sent. */
export interface EdgeRequest extends Target {
  method: string
  requestId: string
  /** The header; several lines are joined by commas. */
  accept?: string | undefined
}

/** What the edge function makes of a request: the answer, or what is asked of an origin, in its one form. */
export type EdgeVerdict =
  | { answer: { status: number; headers: Record<string, string>; body: string } }
  | {
      /** `copies` serves the file as it is, `renderer` makes a picture. */
      origin: 'copies' | 'renderer'
      /** `/<alias>/<id>`, `/streams/<id>/<name>`, or `/iiif/<host>/<alias>/<id>/<request>` with a host that says nothing. */
      path: string
      /** The transformation; empty for none, for streams and for IIIF. */
      query: string
      /** Parameters that the answer names as ignored, separated by `, `. */
      ignored: string
    }

/** The edge function, in the form of CloudFront's events. */
export type EdgeFunction = (event: EdgeEvent, origins: Origins) => EventRequest | EventResponse

/** Sizes are made as they are asked for. */
const asDeployed: EdgeFunction = (event, origins) => handleLinkEvent(event, origins, [])

/** The edge function of links, which CloudFront runs on AWS. @param run tests give the text that is deployed */
export function openEdgeFunction(run: EdgeFunction = asDeployed): (request: EdgeRequest) => EdgeVerdict {
  return ({ method, path, query, requestId, accept }) => {
    let origin: 'copies' | 'renderer' = 'copies'
    const selectRequestOriginById = (id: 'renderer') => {
      origin = id
    }
    // The local server has one address of links: its own.
    const headers: Fields = { host: { value: 'localhost' }, ...(accept === undefined ? {} : { accept: { value: accept } }) }
    const request = { method, uri: path, querystring: fieldsOf(query), headers }
    const result = run({ context: { eventType: 'viewer-request', requestId }, request }, { selectRequestOriginById })
    if ('statusCode' in result) {
      const labels = Object.fromEntries(Object.entries(result.headers).map(([name, { value }]) => [name, value]))
      return { answer: { status: result.statusCode, headers: labels, body: result.body?.data ?? '' } }
    }
    return { origin, path: result.uri, query: result.querystring as string, ignored: ignoredBy(run, requestId, result) }
  }
}

/** What the event of the answer adds to it. */
function ignoredBy(run: EdgeFunction, requestId: string, request: EventRequest): string {
  const event = { context: { eventType: 'viewer-response' as const, requestId }, request, response: { statusCode: 200, headers: {} } }
  return run(event, { selectRequestOriginById: () => undefined }).headers['link-ignored']?.value ?? ''
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
