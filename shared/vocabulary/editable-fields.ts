import { emptyValues, type FieldKind, type FieldValues } from './field-values.ts'

/**
 * Where fields are: at the top of a file's document or in its `metadata`; among what bulk changes change; among the return values of searches; among
 * the columns of manifests and what the command line edits; in files that are downloaded.
 */
export type Place = 'document' | 'metadata' | 'bulk' | 'search' | 'manifest' | 'downloads'

/** A field that users edit. */
interface Entry {
  /** Its name in the interface. */
  name: string
  is: FieldKind
  in: readonly ['document' | 'metadata', ...Place[]]
  /** As what searches for words find it (shared/backends/search/port.ts). */
  searched?: 'title' | 'description' | 'keywords' | 'byline' | 'copyright'
  /** Files that are older than the field lack it, and requests that don't name it leave it as it is. */
  later?: true
}

/** The fields of a file that users edit. Whatever reads or changes them follows from this table. */
export const editableFields = {
  title: { name: 'title', is: 'texts', in: ['metadata', 'bulk', 'search', 'manifest', 'downloads'], searched: 'title' },
  description: { name: 'description', is: 'texts', in: ['metadata', 'bulk', 'search', 'manifest', 'downloads'], searched: 'description' },
  keywords: { name: 'keywords', is: 'keywords', in: ['metadata', 'bulk', 'search', 'manifest', 'downloads'], searched: 'keywords' },
  byline: { name: 'byline', is: 'line', in: ['document', 'bulk', 'search', 'manifest'], searched: 'byline' },
  copyright: { name: 'copyright', is: 'line', in: ['document', 'bulk', 'search', 'manifest', 'downloads'], searched: 'copyright' },
  /** The last day on which the file is not expired. */
  expires: { name: 'expiration_date', is: 'day', in: ['document', 'bulk', 'search', 'manifest'] },
  editorial: { name: 'editorial', is: 'flag', in: ['metadata', 'bulk'] },
  adultContent: { name: 'adult_content', is: 'flag', in: ['metadata'] },
  /** What cuts of a picture keep. */
  focalPoint: { name: 'focal_point', is: 'point', in: ['document', 'bulk', 'search', 'manifest'], later: true },
} as const satisfies { [field: string]: Entry }

type Table = typeof editableFields
export type EditableField = keyof Table
export type KindOf<Field extends EditableField> = Table[Field]['is']
type NameOf<Field extends EditableField> = Table[Field]['name']
export type FieldName = NameOf<EditableField>
/** The fields in a place. */
export type FieldsIn<In extends Place> = { [Field in EditableField]: In extends Table[Field]['in'][number] ? Field : never }[EditableField]
type Later = { [Field in EditableField]: Table[Field] extends { later: true } ? Field : never }[EditableField]

/** The values of all fields. */
export type EditableValues = { -readonly [Field in Exclude<EditableField, Later>]: FieldValues[KindOf<Field>] } & {
  -readonly [Field in Later]?: FieldValues[KindOf<Field>]
}

/** A field of one kind. */
export type FieldEntry<Kind extends FieldKind = FieldKind> = Omit<Entry, 'name' | 'is'> & {
  field: { [Field in EditableField]: KindOf<Field> extends Kind ? Field : never }[EditableField]
  name: { [Field in EditableField]: KindOf<Field> extends Kind ? NameOf<Field> : never }[EditableField]
  is: Kind
}

/** The fields in the order of the table. */
export const fieldEntries = Object.entries(editableFields).map(([field, entry]) => ({ field, ...entry })) as readonly FieldEntry[]
export const fieldNames = fieldEntries.map(({ field }) => field)

/** The fields in a place. */
export const entriesIn = <In extends Place>(place: In): readonly EntryIn<In>[] =>
  fieldEntries.filter((entry): entry is EntryIn<In> => entry.in.includes(place))
type EntryIn<In extends Place> = FieldEntry & { field: FieldsIn<In>; name: NameOf<FieldsIn<In>> }

/** The interface's names of the fields in a place. */
export const namesIn = (place: Place): FieldName[] => entriesIn(place).map(({ name }) => name)

type Makers<Fields extends EditableField> = { [Kind in KindOf<Fields>]: (entry: FieldEntry<Kind>) => unknown }
type Returned<Maker> = Maker extends (entry: never) => infer Made ? Made : never

/** What kinds of fields make of those in a place, by the interface's names: in the order of the kinds, those of one kind in the order of the table. */
export function madeOfFields<In extends Place, Made extends Makers<FieldsIn<In>>>(
  place: In,
  makers: Made,
): { [Field in FieldsIn<In> as NameOf<Field>]: Returned<Made[KindOf<Field> & keyof Made]> } {
  const made = Object.entries<(entry: never) => unknown>(makers).flatMap(([kind, make]) =>
    entriesIn(place).flatMap((entry) => (entry.is === kind ? [[entry.name, make(entry as never)]] : [])),
  )
  return Object.fromEntries(made)
}

/** Whether single languages of a field change. */
export const isByLanguage = (field: EditableField): boolean => ['texts', 'keywords'].includes(editableFields[field].is)

/** The value of a field, which older files may lack. */
export const fieldValue = <Field extends EditableField>(values: Partial<EditableValues>, field: Field) =>
  (values[field] ?? emptyValues[editableFields[field].is]) as FieldValues[KindOf<Field>]

type Named = { [Field in EditableField as NameOf<Field>]: Field }

/** Values by the interface's names as values by the library's. Values that are absent or undefined stay absent. */
export function byField<Values extends { [Name in keyof Named]?: unknown }>(
  values: Values,
): { [Name in keyof Values & keyof Named as Named[Name]]?: Exclude<Values[Name], undefined> } {
  const given = fieldEntries.flatMap(({ field, name }) => (values[name] === undefined ? [] : [[field, values[name]]]))
  return Object.fromEntries(given)
}

/** Values by the interface's names. */
export type ValuesByName<Fields extends EditableField = EditableField> = { [Field in Fields as NameOf<Field>]: FieldValues[KindOf<Field>] }

/** All editable values of a file by the interface's names. */
export function valuesByName(values: Partial<EditableValues>): ValuesByName {
  return { ...valuesIn('metadata', values), ...valuesIn('document', values) }
}

/** Those in a place. */
export function valuesIn<In extends Place>(place: In, values: Partial<EditableValues>): ValuesByName<FieldsIn<In>> {
  const value = ({ field }: { field: EditableField }) => fieldValue(values, field)
  const named = madeOfFields(place, { flag: value, keywords: value, texts: value, line: value, day: value, point: value })
  return named as ValuesByName<FieldsIn<In>>
}
