// The parameters of links. CloudFront's edge function runs this module, too, as do the presets and the renderer: it has only what the
// runtime 2.0 of CloudFront Functions knows, which is ECMAScript 5.1 with const, let, arrow functions and template literals.

/** First values of a link's parameters by name, decoded. Those of other names are not read. */
export type LinkParameters = Readonly<Record<string, string | undefined>>

/** The forms that a client takes besides JPEG, PNG and GIF, as the parameter `accept` of the canonical query names them. */
export type AcceptedForms = '' | 'avif' | 'webp' | 'avif,webp'

export interface QueryProblem {
  /** Name of the parameter. */
  path: string
  message: string
}

export interface LinkQuery {
  /** The canonical query: one for all that ask for the same picture. It has what is right. Empty where nothing is asked for. */
  query: string
  /** Names of the newer parameters whose values are wrong, in the order in which they are documented. */
  ignored: string[]
  /** What is wrong of the older parameters: the link is refused. */
  problems: QueryProblem[]
  /** Whether the preset's name is one that no preset can have. */
  isNoPreset: boolean
}

/** Largest width and height that a link can ask for, in pixels. */
export const MAX_SIZE = 4096
const SIZE = /^[1-9]\d{0,3}$/
const FORMATS = ['webp', 'jpeg', 'avif', 'png', 'auto']
const ON = ['', '1', 'true']
const OFF = ['0', 'false']
const SIZE_RULE = `must be a whole number from 1 to ${MAX_SIZE}`

/** Fractions are counted in these parts. */
const PARTS = 10_000
const FRACTION = /^(?:0(?:\.\d{1,4})?|1(?:\.0{1,4})?)$/
const ASPECT = /^([1-9]\d?|100):([1-9]\d?|100)$/
const COLOUR = /^[0-9a-fA-F]{6}$/
/** What a preset may be called. */
export const PRESET_NAME = /^[a-z0-9-]{1,40}$/

/**
 * Makes the canonical query of a link's parameters. The canonical query of its own parameters is itself.
 * @param given first values of the parameters
 * @param accepted what the client takes where the format is `auto`
 * @param steps sizes that others are rounded up to, ascending; absent or empty: none. Not for pictures that have exactly the size asked for
 */
export function linkQuery(given: LinkParameters, accepted: AcceptedForms, steps?: readonly number[]): LinkQuery {
  const found: LinkQuery = { query: '', ignored: [], problems: [], isNoPreset: false }
  const wanted = given.preset ? ofPreset(given, found) : ofTransformation(given, found, steps || [])
  const format = olderValue(given, found, { name: 'output_format', meaningOf: formatOf, rule: `must be one of ${FORMATS.join(', ')}` })
  wanted.push(['output_format', format])
  // The preset may ask for `auto`.
  if (format === 'auto' || (given.preset && !found.isNoPreset && format === '')) wanted.push(['accept', accepted])
  // A colour is seen where a canvas is, and where transparency goes. White is what JPEG has anyway.
  const isPad = wanted.some((each) => each[0] === 'fit' && each[1] === 'pad')
  const shows = (each: string[]) => each[0] !== 'background' || isPad || (format === 'jpeg' && each[1] !== 'ffffff')
  found.query = wanted
    .filter((each) => each[1] !== '' && shows(each))
    .map((each) => each.join('='))
    .join('&')
  return found
}

/** Names and values in the order of the canonical query. Empty values say nothing. */
function ofTransformation(given: LinkParameters, found: LinkQuery, steps: readonly number[]): string[][] {
  const fit = newerValue(given, found, 'fit', fitOf)
  const aspect = newerValue(given, found, 'aspect', aspectOf)
  const crop = newerValue(given, found, 'crop', cropOf)
  const focus = newerValue(given, found, 'focus', focusOf)
  const background = newerValue(given, found, 'background', colourOf)
  const dpr = newerValue(given, found, 'dpr', dprOf)
  const hdr = newerValue(given, found, 'hdr', hdrOf)
  const width = olderValue(given, found, { name: 'width', meaningOf: sizeOf, rule: SIZE_RULE })
  const height = olderValue(given, found, { name: 'height', meaningOf: sizeOf, rule: SIZE_RULE })
  const grayscale = olderValue(given, found, {
    name: 'grayscale',
    meaningOf: switchOf,
    rule: 'must be 1, true or empty for on, 0 or false for off',
  })

  const isExact = fit !== '' && width !== '' && height !== ''
  const isPad = isExact && fit === 'pad'
  const shape = isExact && fit === 'cover' ? '' : aspect
  const isCut = shape !== '' || (isExact && fit === 'cover')
  const lowered = loweredBy(width, height, dpr)
  const size = (text: string) => (text === '' ? '' : `${sized(Number(text) * lowered, isExact ? [] : steps)}`)
  return [
    ['crop', crop],
    ['aspect', shape],
    ['fit', isExact ? fit : ''],
    ['focus', isCut ? focus : ''],
    ['width', size(width)],
    ['height', size(height)],
    ['background', background],
    ['grayscale', grayscale],
    ['hdr', isPad || grayscale !== '' ? '' : hdr],
  ]
}

/** Besides a preset only `dpr` and `output_format` are read. */
function ofPreset(given: LinkParameters, found: LinkQuery): string[][] {
  const preset = given.preset || ''
  found.isNoPreset = !PRESET_NAME.test(preset)
  if (found.isNoPreset) return []
  return [
    ['preset', preset],
    // The preset may have another one.
    ['dpr', given.dpr === '1' ? '1' : newerValue(given, found, 'dpr', dprOf)],
  ]
}

/** What a value means: empty where it says nothing, undefined where it is wrong. */
type MeaningOf = (text: string) => string | undefined

/** A wrong value is refused. */
function olderValue(given: LinkParameters, found: LinkQuery, parameter: { name: string; meaningOf: MeaningOf; rule: string }): string {
  const text = given[parameter.name]
  if (text === undefined) return ''
  const value = parameter.meaningOf(text)
  if (value === undefined) found.problems.push({ path: parameter.name, message: parameter.rule })
  return value || ''
}

/** A wrong value counts as not given. */
function newerValue(given: LinkParameters, found: LinkQuery, name: string, meaningOf: MeaningOf): string {
  const text = given[name]
  if (text === undefined || text === '') return ''
  const value = meaningOf(text)
  if (value === undefined) found.ignored.push(name)
  return value || ''
}

function sizeOf(text: string): string | undefined {
  return text === '' || (SIZE.test(text) && Number(text) <= MAX_SIZE) ? text : undefined
}

function switchOf(text: string): string | undefined {
  const word = text.toLowerCase()
  if (ON.indexOf(word) >= 0) return '1'
  return OFF.indexOf(word) >= 0 ? '' : undefined
}

function formatOf(text: string): string | undefined {
  const format = text.toLowerCase()
  return format === '' || FORMATS.indexOf(format) >= 0 ? format : undefined
}

function fitOf(text: string): string | undefined {
  if (text === 'inside') return ''
  return text === 'cover' || text === 'pad' ? text : undefined
}

/** A shape in its lowest terms. */
function aspectOf(text: string): string | undefined {
  const sides = ASPECT.exec(text)
  if (!sides) return undefined
  const width = Number(sides[1])
  const height = Number(sides[2])
  const divisor = commonDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** A piece inside of the picture. The whole says nothing. */
function cropOf(text: string): string | undefined {
  const parts = partsOf(text, 4)
  if (!parts) return undefined
  const x = parts[0] as number
  const y = parts[1] as number
  const width = parts[2] as number
  const height = parts[3] as number
  if (width === 0 || height === 0 || x + width > PARTS || y + height > PARTS) return undefined
  return width === PARTS && height === PARTS ? '' : fractions(parts)
}

function focusOf(text: string): string | undefined {
  if (text === 'center' || text === 'auto') return text
  const parts = partsOf(text, 2)
  return parts && fractions(parts)
}

/** So many fractions, each a number of parts. Whole numbers add up exactly. */
function partsOf(text: string, count: number): number[] | undefined {
  const texts = text.split(',')
  if (texts.length !== count || !texts.every((each) => FRACTION.test(each))) return undefined
  return texts.map((each) => Math.round(Number(each) * PARTS))
}

function fractions(parts: readonly number[]): string {
  return parts.map((each) => each / PARTS).join(',')
}

function colourOf(text: string): string | undefined {
  return COLOUR.test(text) ? text.toLowerCase() : undefined
}

function dprOf(text: string): string | undefined {
  if (text === '1') return ''
  return text === '1.5' || text === '2' || text === '3' ? text : undefined
}

function hdrOf(text: string): string | undefined {
  if (text === '0') return ''
  return text === '1' ? text : undefined
}

/** The factor of both sizes. One that would be too large lowers both, so that the shape stays. */
function loweredBy(width: string, height: string, dpr: string): number {
  const density = Number(dpr || 1)
  return (density * MAX_SIZE) / Math.max(MAX_SIZE, Number(width) * density, Number(height) * density)
}

function sized(pixels: number, steps: readonly number[]): number {
  const size = Math.max(1, Math.round(pixels))
  const larger = steps.filter((step) => step >= size)
  return larger.length > 0 ? (larger[0] as number) : size
}

/** A media type that counts, with its parameters. One pass: every match begins at the start or at a comma. */
const FORM = /(?:^|,)[ \t]*image\/(avif|webp)[ \t]*((?:;[^,]*)?)(?=,|$)/gi
const QUOTED = /"[^"]*"/g
const WEIGHT = /;[ \t]*q[ \t]*=[ \t]*([^; \t]*)/i

/**
 * The forms that an `Accept` header names with a weight above 0 (RFC 9110, 12.5.1). Ranges such as `image/*` name none: many clients send
 * them that can't show both. Linear in the header's length.
 * @param header several lines are joined by commas; undefined where none was sent
 */
export function acceptedForms(header: string | undefined): AcceptedForms {
  const text = (header || '').replace(QUOTED, '')
  let avif = false
  let webp = false
  text.replace(FORM, (form: string, name: string, parameters: string) => {
    const weight = WEIGHT.exec(parameters)
    if (weight && !(Number(weight[1]) > 0)) return form
    if (name.toLowerCase() === 'avif') avif = true
    else webp = true
    return form
  })
  if (avif) return webp ? 'avif,webp' : 'avif'
  return webp ? 'webp' : ''
}

const NAMES = ['fit', 'aspect', 'crop', 'focus', 'background', 'dpr', 'hdr', 'preset', 'width', 'height', 'grayscale', 'output_format']

/** The first value of each parameter of a link. @param sent names and values as they were sent, in their order */
export function firstValues(sent: readonly { name: string; value: string }[]): LinkParameters {
  const values: Record<string, string | undefined> = Object.create(null)
  sent.forEach((each) => {
    const name = decoded(each.name)
    if (NAMES.indexOf(name) >= 0 && values[name] === undefined) values[name] = decoded(each.value)
  })
  return values
}

/** The parameters of a query string. */
export function linkParameters(query: string): LinkParameters {
  return firstValues(
    query.split('&').map((each) => {
      const end = each.indexOf('=')
      return end < 0 ? { name: each, value: '' } : { name: each.slice(0, end), value: each.slice(end + 1) }
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (_malformed) {
    return text
  }
}
