import cf from 'cloudfront'

// CloudFront function (runtime 2.0) on every request to the host of links; the local server runs this file, too.
// It makes one form of all that ask for the same: the path without extension, and the parameters of a transformation that are known and say
// something, in one order. So caches know each picture once. It answers wrong requests itself. Without a transformation the default origin
// serves the file's copy; with one, the origin `renderer` makes the picture. Files of streams are served as they are, too.
// The runtime has ECMAScript 5.1 with const, let, arrow functions and template literals.

// An alias, an id of 128 random bits in hexadecimal, and any extension: it says nothing, but it names no other folder.
const LINK = /^\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\/([0-9a-fA-F]{32})(?:(?:\.[\w~%+-]{1,40}){1,3})?$/
// A file of a stream. No alias is called so.
const STREAMS = /^\/streams\//
const STREAM_FILE = /^\/streams\/[0-9a-f]{32}\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/
const ENCODED_SEPARATOR = /%(?:2f|5c|2e|00)/i

const MAX_SIZE = 4096
const SIZE = /^[1-9]\d{0,3}$/
// Sizes that others are rounded up to; the deployment fills them in where the operator wants that.
const STEPS = []
const FORMATS = ['webp', 'jpeg', 'avif', 'png']
const ON = ['', '1', 'true']
const OFF = ['0', 'false']

// Each parameter's value in its one form: empty where the value says nothing, undefined where it is wrong. In the order of the one form.
const parameters = [
  { name: 'width', valueOf: sizeOf, rule: `must be a whole number from 1 to ${MAX_SIZE}` },
  { name: 'height', valueOf: sizeOf, rule: `must be a whole number from 1 to ${MAX_SIZE}` },
  { name: 'grayscale', valueOf: switchOf, rule: 'must be 1, true or empty for on, 0 or false for off' },
  { name: 'output_format', valueOf: formatOf, rule: 'must be one of webp, jpeg, avif, png' },
]

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request
  const id = event.context.requestId
  if (request.method === 'OPTIONS') return preflight()
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(id)
  if (STREAMS.test(request.uri)) return streamFile(request, id)
  const link = LINK.exec(request.uri)
  if (!link || ENCODED_SEPARATOR.test(request.uri)) return refusal(404, id, { code: 'link_not_found', message: 'There is no such link.' })

  const given = firstValues(request.querystring)
  const wanted = []
  const problems = []
  parameters.forEach((parameter) => {
    const text = given[parameter.name]
    if (text === undefined) return
    const value = parameter.valueOf(text)
    if (value === undefined) problems.push({ path: parameter.name, message: parameter.rule })
    else if (value !== '') wanted.push(`${parameter.name}=${value}`)
  })
  if (problems.length > 0) return invalid(id, problems)

  request.uri = `/${link[1]}/${link[2].toLowerCase()}`
  request.querystring = wanted.join('&')
  if (wanted.length > 0) cf.selectRequestOriginById('renderer')
  return request
}

function streamFile(request, id) {
  if (!STREAM_FILE.test(request.uri)) return refusal(404, id, { code: 'stream_not_found', message: 'There is no such stream.' })
  request.querystring = ''
  return request
}

function sizeOf(text) {
  if (text === '') return ''
  if (!SIZE.test(text) || Number(text) > MAX_SIZE) return undefined
  const steps = STEPS.filter((step) => step >= Number(text))
  return steps.length > 0 ? `${steps[0]}` : text
}

function switchOf(text) {
  const word = text.toLowerCase()
  if (ON.indexOf(word) >= 0) return '1'
  return OFF.indexOf(word) >= 0 ? '' : undefined
}

function formatOf(text) {
  const format = text.toLowerCase()
  return format === '' || FORMATS.indexOf(format) >= 0 ? format : undefined
}

// The first value of each parameter that is known. CloudFront hands over names and values as they were sent.
function firstValues(querystring) {
  const values = Object.create(null)
  for (const sent in querystring) {
    const name = decoded(sent)
    if (values[name] !== undefined || !parameters.some((parameter) => parameter.name === name)) continue
    const field = querystring[sent]
    values[name] = decoded(field.multiValue ? field.multiValue[0].value : field.value)
  }
  return values
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (_malformed) {
    return text
  }
}

function preflight() {
  return {
    statusCode: 204,
    headers: labels({
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '86400',
    }),
  }
}

function notAllowed(id) {
  const answer = refusal(405, id, { code: 'method_not_allowed', message: 'Links can be read, not written.' })
  answer.headers.allow = { value: 'GET, HEAD, OPTIONS' }
  return answer
}

function invalid(id, problems) {
  const message =
    problems.length === 1 ? `${problems[0].path} ${problems[0].message}.` : 'Several things are wrong with the input: errors lists them.'
  return refusal(400, id, { code: 'invalid_input', message: message, errors: problems })
}

// An error in the shape of all others of the service.
function refusal(status, id, error) {
  const body = { message: error.message, code: error.code, request_id: id, errors: error.errors }
  return {
    statusCode: status,
    headers: labels({ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }),
    body: { encoding: 'text', data: JSON.stringify(body) },
  }
}

function labels(values) {
  const headers = { 'access-control-allow-origin': { value: '*' } }
  Object.keys(values).forEach((name) => {
    headers[name] = { value: values[name] }
  })
  return headers
}
