// The edge function of links: what the host of links makes of every request, and adds to every answer. CloudFront runs it
// (infra/aws/stack/link-request.ts), and so does the local server.
// It makes one form of all that ask for the same: the path without extension, and the canonical query. So caches know each picture once. It
// answers wrong requests itself. Without a transformation the default origin serves the file's copy; with one, the origin `renderer` makes
// the picture, as it does for addresses of IIIF. Files of streams are served as they are, too.
// It has only what the runtime 2.0 of CloudFront Functions knows: ECMAScript 5.1 with const, let, arrow functions and template literals.
import {
  acceptedForms,
  firstValues,
  type LinkParameters,
  type LinkQuery,
  linkQuery,
  type QueryProblem,
} from '../../vocabulary/link-query.ts'

/** Headers, or parameters of a query as they were sent. Of repeated ones `multiValue` has all, the first too. */
export type Fields = Record<string, Field>

interface Field {
  value: string
  multiValue?: { value: string }[]
}

/** A request, in the form of CloudFront Functions. */
export interface EdgeRequest {
  method: string
  uri: string
  /** Fields of what the client sent, a text of what is asked of the origin. */
  querystring: Fields | string
  /** By their names in lower case. */
  headers: Fields
}

/** An answer, in the form of CloudFront Functions. */
export interface EdgeResponse {
  statusCode: number
  headers: Fields
  body?: { encoding: 'text'; data: string }
}

export interface EdgeEvent {
  context: { eventType: 'viewer-request' | 'viewer-response'; requestId: string }
  request: EdgeRequest
  /** In the event `viewer-response`. */
  response?: EdgeResponse
}

/** Chooses the origin of a request. */
export interface Origins {
  selectRequestOriginById(id: 'renderer'): void
}

/**
 * An alias, an id of 128 random bits in hexadecimal, and any extension: it says nothing, but it names no other folder. An address of IIIF goes
 * on after it.
 */
const LINK = /^\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\/([0-9a-fA-F]{32})(?:(?:\.[\w~%+-]{1,40}){1,3})?(?:\/(.*))?$/
/** A file of a stream. No alias is called so. */
const STREAMS = /^\/streams\//
const STREAM_FILE = /^\/streams\/[0-9a-f]{32}\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/
/** A link follows. The alias of this name has plain links alone. */
const IIIF = '/iiif/3'
/** region/size/rotation/quality.format, in the characters of those that the renderer knows. It reads them exactly. */
const IIIF_REQUEST = /^(?:info\.json|manifest\.json|[a-z0-9.,:]{1,80}\/!?[a-z0-9.,:]{1,40}\/!?[0-9.]{1,20}\/[a-z]{1,20}\.[a-z0-9]{1,10})$/
const NO_IIIF = { code: 'invalid_input', message: 'The address must end in {region}/{size}/{rotation}/{quality}.{format}.' }
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/
const ENCODED_SEPARATOR = /%(?:2f|5c|2e|00)/i

/** Hands what is to be told over to the event of the answer. */
const HANDED_OVER = 'x-link-ignored'
const NAMES = /^[a-z]{1,20}(?:, [a-z]{1,20}){0,9}$/
const VARIES = /(?:^|&)output_format=auto(?:&|$)/

/** How a picture came about: the header of links, and that under which S3 answers with the label of a copy (shared/backends/objects/port.ts). */
const AI = 'link-ai'
const STORED_AI = 'x-amz-meta-link-ai'

/** What the function has found out about a request that it answers itself. */
interface Asked {
  id: string
  query: LinkQuery
}

/** @param steps sizes that others are rounded up to, ascending; empty: none */
export function handleLinkEvent(event: EdgeEvent, origins: Origins, steps: readonly number[]): EdgeRequest | EdgeResponse {
  if (event.context.eventType === 'viewer-response' && event.response) return answered(event.request, event.response)
  const request = event.request
  if (request.method === 'OPTIONS') return preflight()
  const given = isLink(request.uri) ? parametersOf(request.querystring) : {}
  const asked = { id: event.context.requestId, query: linkQuery(given, acceptedForms(joined(request.headers.accept)), steps) }
  const host = request.headers.host
  // `Accept` is part of the caches' key, so that they pass on `Vary: Accept`. What it says is in the query.
  request.headers.accept = { value: '*/*' }
  delete request.headers[HANDED_OVER]
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(asked)
  if (STREAMS.test(request.uri)) return streamFile(request, asked)
  if (isIiif(request.uri)) return iiifPicture(request, asked, { host: host ? host.value.toLowerCase() : '', origins: origins })
  return link(request, asked, origins)
}

function isLink(uri: string): boolean {
  return !STREAMS.test(uri) && !isIiif(uri)
}

function isIiif(uri: string): boolean {
  return uri.indexOf(`${IIIF}/`) === 0
}

function link(request: EdgeRequest, asked: Asked, origins: Origins): EdgeRequest | EdgeResponse {
  const found = LINK.exec(request.uri)
  if (!found || found[3] !== undefined || ENCODED_SEPARATOR.test(request.uri)) return noLink(asked)
  const query = asked.query
  if (query.problems.length > 0) return invalid(asked, query.problems)
  if (query.isNoPreset) return refusal(404, asked, { code: 'preset_not_found', message: 'There is no such preset.' })
  if (query.ignored.length > 0) request.headers[HANDED_OVER] = { value: query.ignored.join(', ') }
  request.uri = `/${found[1]}/${(found[2] as string).toLowerCase()}`
  request.querystring = query.query
  if (query.query !== '') origins.selectRequestOriginById('renderer')
  return request
}

function streamFile(request: EdgeRequest, asked: Asked): EdgeRequest | EdgeResponse {
  if (!STREAM_FILE.test(request.uri)) return refusal(404, asked, { code: 'stream_not_found', message: 'There is no such stream.' })
  request.querystring = ''
  return request
}

/** Hands `/iiif/<host>/<alias>/<id>/<request>` to the renderer, which can't know the host otherwise. */
function iiifPicture(request: EdgeRequest, asked: Asked, about: { host: string; origins: Origins }): EdgeRequest | EdgeResponse {
  const found = LINK.exec(request.uri.slice(IIIF.length))
  if (!found || found[1] === 'iiif') return noLink(asked)
  const id = (found[2] as string).toLowerCase()
  const sent = found[3]
  if (sent === undefined) return seeOther(`${id}/info.json`)
  const wanted = ENCODED_SEPARATOR.test(sent) ? '' : decodedPath(sent)
  if (!IIIF_REQUEST.test(wanted) || !HOST.test(about.host)) return refusal(400, asked, NO_IIIF)
  request.uri = `/iiif/${about.host}/${found[1]}/${id}/${wanted}`
  request.querystring = ''
  about.origins.selectRequestOriginById('renderer')
  return request
}

/**
 * Names the parameters that were ignored, and tells how a picture came about by its own header. CloudFront asks for it unless the origin's answer is an error. Whether it shows the request here as
 * the client sent it or as the event before left it is not documented: either will do.
 */
function answered(request: EdgeRequest, response: EdgeResponse): EdgeResponse {
  const handed = request.headers[HANDED_OVER]
  const given = isLink(request.uri) ? parametersOf(request.querystring) : {}
  const ignored = handed && NAMES.test(handed.value) ? handed.value : linkQuery(given, '').ignored.join(', ')
  if (ignored !== '') response.headers['link-ignored'] = { value: ignored }
  const ai = response.headers[STORED_AI]
  if (ai) response.headers[AI] = ai
  delete response.headers[STORED_AI]
  return response
}

function parametersOf(sent: Fields | string): LinkParameters {
  if (typeof sent === 'string') return {}
  return firstValues(Object.keys(sent).map((name) => ({ name: name, value: first(sent[name] as Field) })))
}

function first(field: Field): string {
  return field.multiValue ? (field.multiValue[0] as { value: string }).value : field.value
}

/** A header that may have several lines. */
function joined(field: Field | undefined): string {
  if (!field) return ''
  return field.multiValue ? field.multiValue.map((each) => each.value).join(',') : field.value
}

/** Empty where it is malformed. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (_malformed) {
    return ''
  }
}

function preflight(): EdgeResponse {
  return {
    statusCode: 204,
    headers: labels({
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '86400',
    }),
  }
}

/** @param location relative: the same below every address of links */
function seeOther(location: string): EdgeResponse {
  return { statusCode: 303, headers: labels({ location: location, 'cache-control': 'no-store' }) }
}

function notAllowed(asked: Asked): EdgeResponse {
  const answer = refusal(405, asked, { code: 'method_not_allowed', message: 'Links can be read, not written.' })
  answer.headers.allow = { value: 'GET, HEAD, OPTIONS' }
  return answer
}

function noLink(asked: Asked): EdgeResponse {
  return refusal(404, asked, { code: 'link_not_found', message: 'There is no such link.' })
}

function invalid(asked: Asked, problems: QueryProblem[]): EdgeResponse {
  const only = problems.length === 1 ? problems[0] : undefined
  const message = only ? `${only.path} ${only.message}.` : 'Several things are wrong with the input: errors lists them.'
  return refusal(400, asked, { code: 'invalid_input', message: message, errors: problems })
}

/** An error in the shape of all others of the service. */
function refusal(status: number, asked: Asked, error: { code: string; message: string; errors?: QueryProblem[] }): EdgeResponse {
  const body = { message: error.message, code: error.code, request_id: asked.id, errors: error.errors }
  const headers = labels({ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  if (VARIES.test(asked.query.query)) headers.vary = { value: 'Accept' }
  if (asked.query.ignored.length > 0) {
    headers['link-ignored'] = { value: asked.query.ignored.join(', ') }
    headers['access-control-expose-headers'] = { value: 'Link-Ignored' }
  }
  return { statusCode: status, headers: headers, body: { encoding: 'text', data: JSON.stringify(body) } }
}

function labels(values: Record<string, string>): Fields {
  const headers: Fields = { 'access-control-allow-origin': { value: '*' } }
  Object.keys(values).forEach((name) => {
    headers[name] = { value: values[name] as string }
  })
  return headers
}
