import { type EditableMetadata, type MediaRecord, type WrittenField, writtenFields } from './media.ts'

type Described = EditableMetadata & Pick<MediaRecord, 'emptied'>

/**
 * The fields that an edit emptied. Fields that no edit ever set are not among them: the file's own metadata may fill those.
 * @param edited what the edit sets @returns undefined where no edit ever emptied a field
 */
export function emptiedAfter(media: Described, edited: Partial<EditableMetadata>): WrittenField[] | undefined {
  const before = new Set(media.emptied)
  const after = { ...media, ...edited }
  const emptied = writtenFields.filter((field) => isEmpty(after, field) && (field in edited || before.has(field)))
  return emptied.length > 0 || media.emptied ? emptied : undefined
}

/** The part of a file's own metadata that fills fields which are empty and which no edit emptied. */
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
