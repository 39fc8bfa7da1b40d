import { type EditableMetadata, type MediaRecord, type WrittenField, writtenFields } from './media.ts'

type Described = EditableMetadata & Pick<MediaRecord, 'emptied'>

/**
 * The fields that are empty because an edit made them so. One that no edit ever named is not among them: the file may say there what the
 * library doesn't know.
 * @param edited what the edit sets @returns undefined where there has never been one
 */
export function emptiedAfter(media: Described, edited: Partial<EditableMetadata>): WrittenField[] | undefined {
  const before = new Set(media.emptied)
  const after = { ...media, ...edited }
  const emptied = writtenFields.filter((field) => isEmpty(after, field) && (field in edited || before.has(field)))
  return emptied.length > 0 || media.emptied ? emptied : undefined
}

/** Of what a file says of itself, what the library does not know better: fields that are empty, and that no edit emptied. */
export function unknownOf<Said extends Partial<EditableMetadata>>(media: Described, said: Said): Partial<Said> {
  const emptied: readonly string[] = media.emptied ?? []
  const isUnknown = (field: string) => isEmpty(media, field as keyof EditableMetadata) && !emptied.includes(field)
  return Object.fromEntries(Object.entries(said).filter(([field]) => isUnknown(field))) as Partial<Said>
}

function isEmpty(metadata: EditableMetadata, field: keyof EditableMetadata): boolean {
  const value = metadata[field]
  if (typeof value !== 'object' || value === null) return !value
  return Object.values(value).every(({ length }: string | string[]) => length === 0)
}
