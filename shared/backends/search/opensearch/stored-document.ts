import { filenameKey } from '../../../vocabulary/filename-key.ts'
import { ageOf, type CompanyChange, type SearchDocument } from '../port.ts'
import { bylineKey, searchableText, type Values } from '../searchable-text.ts'

/** The fields of a document in OpenSearch (index-definition.ts). */
export type StoredDocument = Readonly<Record<string, unknown>>

/** The id that a file's document has. */
export function documentId(companyId: number, mediaId: number): string {
  return `${companyId}-${mediaId}`
}

/**
 * A change as OpenSearch stores it. A removal leaves a document that no search finds: it keeps an older change that comes later from bringing the
 * file back, for longer than OpenSearch remembers what was deleted.
 */
export function storedDocument({ companyId, change }: CompanyChange): StoredDocument {
  const { mediaId } = change
  const age = ageOf(change)
  if ('removed' in change) return { removedFrom: String(companyId), mediaId, age }
  const { folders, kind, created, cameraCreated, modified, width, height, latitude, longitude, expires, filename, bytes } = change
  const byline = bylineKey(change.byline)
  const hasPlace = latitude !== null && longitude !== null
  return {
    ...{ company: String(companyId), mediaId, age, kind, created, cameraCreated, modified, width, height, hasPlace, bytes },
    filenameKey: filenameKey(filename),
    ...{ bylineKey: byline, hasByline: byline !== '', placement: placementOf(folders) },
    folders: folders.map(String),
    ...(folders.length === 1 ? { only: String(folders[0]) } : { several: folders.map((folder) => ({ folder: String(folder) })) }),
    ...(width !== null && height !== null && sides(width, height)),
    ...(hasPlace && { place: { lat: latitude, lon: longitude } }),
    ...(expires !== null && { expires: dayNumber(expires) }),
    ...texts(change),
  }
}

/** OpenSearch takes no longer values. */
const MOST_PLACES = 2_000

/** The folders of a file as one value. */
function placementOf(folders: readonly number[]): string {
  return folders.slice(0, MOST_PLACES).join(' ')
}

/** The folders of such a value. */
export function foldersIn(placement: string): number[] {
  return placement.split(' ').map(Number)
}

/** A day as a number that orders like it. @param day `yyyy-mm-dd` */
export function dayNumber(day: string): number {
  return Number(day.replaceAll('-', ''))
}

/** The day of such a number, as `yyyy-mm-dd`. */
export function dayText(day: number): string {
  const digits = String(day).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

function sides(width: number, height: number) {
  const orientation = width > height ? 'horizontal' : height > width ? 'vertical' : 'square'
  return { longSide: Math.max(width, height), shortSide: Math.min(width, height), orientation }
}

function texts(document: SearchDocument) {
  const { heading, filename, phrases, ...elsewhere } = searchableText(document)
  const words = asText([...heading, ...filename, ...Object.values(elsewhere).flat()])
  return { heading: asText(heading), filename: asText(filename), words, phrases }
}

/** Values with their tokens separated by spaces. */
function asText(values: Values): string[] {
  return values.map((tokens) => tokens.join(' '))
}
