import type { ShownMedia } from './shown-media.ts'

/** What a field holds: texts or keywords by language, a line, a day, yes or no, a point of a picture. All but the first two are replaced as a whole. */
type FieldKind = 'texts' | 'keywords' | 'line' | 'day' | 'flag' | 'point'

/** A field that users edit. */
export interface EditableFieldEntry {
  /** Its name in the interface. */
  name: string
  is: FieldKind
  /** Where the document of a file has it: at its top, or in `metadata`. */
  in: 'document' | 'metadata'
}

/** The fields of a file that users edit. Types, copies, bulk changes and documents beside files follow from this table. */
export const editableFields = {
  title: { name: 'title', is: 'texts', in: 'metadata' },
  description: { name: 'description', is: 'texts', in: 'metadata' },
  keywords: { name: 'keywords', is: 'keywords', in: 'metadata' },
  byline: { name: 'byline', is: 'line', in: 'document' },
  copyright: { name: 'copyright', is: 'line', in: 'document' },
  expires: { name: 'expiration_date', is: 'day', in: 'document' },
  editorial: { name: 'editorial', is: 'flag', in: 'metadata' },
  adultContent: { name: 'adult_content', is: 'flag', in: 'metadata' },
  focalPoint: { name: 'focal_point', is: 'point', in: 'document' },
} as const satisfies { [Field in keyof ShownMedia]?: EditableFieldEntry }

export type EditableField = keyof typeof editableFields

type Named = { [Field in EditableField as (typeof editableFields)[Field]['name']]: Field }

const entries = Object.entries(editableFields) as [EditableField, EditableFieldEntry][]

/** The fields, and the interface's names of those that the document of a file has there. */
export const fieldNames = entries.map(([field]) => field)
export const namesIn = (place: EditableFieldEntry['in']): string[] =>
  entries.flatMap(([, entry]) => (entry.in === place ? [entry.name] : []))

/** Values by the interface's names as values by the library's. Values that are absent or undefined stay absent. */
export function byField<Values extends { [Name in keyof Named]?: unknown }>(
  values: Values,
): { [Name in keyof Values & keyof Named as Named[Name]]?: Exclude<Values[Name], undefined> } {
  const given = entries.flatMap(([field, { name }]) => {
    const value = values[name as keyof Named]
    return value === undefined ? [] : [[field, value]]
  })
  return Object.fromEntries(given)
}

/** All editable values of a file by the interface's names, in the order of the table; null where the file has none. */
export function valuesByName(values: { readonly [Field in EditableField]?: ShownMedia[Field] | undefined }): ValuesByName {
  return Object.fromEntries(entries.map(([field, { name }]) => [name, values[field] ?? null])) as ValuesByName
}

export type ValuesByName = { [Name in keyof Named]: Exclude<ShownMedia[Named[Name]], undefined> | null }
