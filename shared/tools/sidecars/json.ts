import { entriesIn, type FieldEntry, namesIn, type ValuesByName } from '../../vocabulary/editable-fields.ts'
import type { FieldKind } from '../../vocabulary/field-values.ts'
import { isPoint, type Point, pointIn } from '../../vocabulary/point.ts'

type Flat = FieldEntry<'texts' | 'keywords'>

/** A JSON sidecar, in the form of a file's document. Flags are as they were found. */
export type JsonSidecar = Partial<ValuesByName<FieldEntry<'line' | 'day' | 'point'>['field']>> & {
  metadata: Partial<ValuesByName<Flat['field']>> & { [field: string]: unknown }
  [field: string]: unknown
}

/** The language of texts without one. */
const LANGUAGE = 'en'

/** Fields of a file's document (schema `Media`), and `library`, which exports add. */
export const DOCUMENT_FIELDS: readonly string[] = [
  ...['id', 'status', 'created', 'type', 'media_type', 'filename', 'file_md5', 'uploaded_by', 'uploaded_via', 'metadata', 'file_mimetype'],
  ...['file_disksize', 'file_number', 'width', 'height', 'content_credentials', 'video', ...namesIn('document'), 'expired', 'library'],
]
/** Fields of its `metadata`. */
export const METADATA_FIELDS: readonly string[] = [...namesIn('metadata'), 'iptc', 'geolocation', 'camera_created']

/** Fields of `metadata` that may be at the top of the document. */
const flatFields = entriesIn('metadata').filter((entry): entry is typeof entry & Flat => ['texts', 'keywords'].includes(entry.is))

/** All fields of a flat document. */
export const FLAT_FIELDS: readonly string[] = [...flatFields.map(({ name }) => name), ...namesIn('document')]

/** Convert values to those of kinds of fields. @throws Error */
const readers: { [Kind in FieldKind]: (value: unknown) => unknown } = {
  texts: textsOf,
  keywords(value) {
    const given = typeof value === 'string' ? keywordsIn(value) : value
    const lists = Array.isArray(given) ? { [LANGUAGE]: given } : given
    return requireValues(lists, isListOfTexts, 'must be a text with ; between words, a list of texts, or such lists by language')
  },
  line: textOf,
  day: textOf,
  flag: (value) => value,
  point: pointOf,
}

function textOf(value: unknown): unknown {
  if (!isText(value)) throw new Error('must be a text')
  return value
}

function textsOf(value: unknown): unknown {
  return requireValues(typeof value === 'string' ? { [LANGUAGE]: value } : value, isText, 'must be a text, or texts by language')
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function requireValues(value: unknown, isFit: (each: unknown) => boolean, otherwise: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.values(value).every(isFit)) throw new Error(otherwise)
  return value
}

/** Keywords in a text, separated by `;`. */
export const keywordsIn = (text: string): string[] =>
  text
    .split(';')
    .map((word) => word.trim())
    .filter(Boolean)

/**
 * Reads a JSON sidecar: a file's document as written by downloads, or a flat one with `title`, `description` and `keywords` at the top.
 * Null counts as absent, but for the focal point. In both forms texts may have no language, and keywords may be a text or a list.
 * @throws Error that names what fits neither form
 */
export function readJsonSidecar(text: string): JsonSidecar {
  const known = [...DOCUMENT_FIELDS, ...flatFields.map(({ name }) => name)]
  const { metadata = {}, ...document } = fieldsOf(JSON.parse(text.replace(/^\uFEFF/, '')), known, '')
  const said = fieldsOf(metadata, METADATA_FIELDS, 'metadata.')
  for (const { name, is } of flatFields) {
    const { [name]: flat = null } = document
    const { [name]: inside = null } = said
    if (flat !== null && inside !== null) throw new Error(`${name} is there twice, also as metadata.${name}`)
    delete document[name]
    delete said[name]
    const value = flat ?? inside
    if (value !== null) said[name] = named(name, () => readers[is](value))
  }
  for (const { name, is } of entriesIn('document')) {
    const { [name]: value = null } = document
    if (value !== null) document[name] = named(name, () => readers[is](value))
  }
  return { ...document, metadata: said }
}

/** A point of a document, or as text. @throws Error */
function pointOf(value: unknown): Point {
  if (isPoint(value)) return { x: value.x, y: value.y }
  const point = typeof value === 'string' ? pointIn(value) : undefined
  if (!point) throw new Error('must hold x and y from 0 to 1, or be a text like 0.5,0.25')
  return point
}

function fieldsOf(value: unknown, known: readonly string[], prefix: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${prefix.slice(0, -1) || 'it'} must be an object`)
  const unknown = Object.keys(value).filter((field) => !known.includes(field))
  if (unknown.length === 0) return { ...value }
  const names = unknown.slice(0, 10).map((field) => prefix + field)
  const [last, ...others] = flatFields.map(({ name }) => name).reverse()
  throw new Error(`${names.join(', ')}: no field of a file's document, and none of ${others.reverse().join(', ')} and ${last}`)
}

function named<Value>(field: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new Error(`${field} ${(error as Error).message}`)
  }
}
