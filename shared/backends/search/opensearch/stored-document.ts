import { filenameKey } from '../../../vocabulary/filename-key.ts'
import { ageOf, type CompanyChange, type SearchDocument } from '../port.ts'
import { searchableText, type Values } from '../searchable-text.ts'

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
  const hasPlace = latitude !== null && longitude !== null
  return {
    ...{ company: String(companyId), mediaId, age, kind, created, cameraCreated, modified, width, height, hasPlace, bytes },
    filenameKey: filenameKey(filename),
    folders: folders.map(String),
    ...(folders.length === 1 ? { only: String(folders[0]) } : { several: folders.map((folder) => ({ folder: String(folder) })) }),
    ...(width !== null && height !== null && sides(width, height)),
    ...(hasPlace && { place: { lat: latitude, lon: longitude } }),
    ...(expires !== null && { expires: dayNumber(expires) }),
    ...texts(change),
  }
}

/** A day as a number that orders like it. @param day `yyyy-mm-dd` */
export function dayNumber(day: string): number {
  return Number(day.replaceAll('-', ''))
}

function sides(width: number, height: number) {
  const orientation = width > height ? 'horizontal' : height > width ? 'vertical' : 'square'
  return { longSide: Math.max(width, height), shortSide: Math.min(width, height), orientation }
}

function texts(document: SearchDocument) {
  const { heading, filename, ...elsewhere } = searchableText(document)
  const words = asText([...heading, ...filename, ...Object.values(elsewhere).flat()])
  return { heading: asText(heading), filename: asText(filename), words }
}

/** Values with their tokens separated by spaces. */
function asText(values: Values): string[] {
  return values.map((tokens) => tokens.join(' '))
}
