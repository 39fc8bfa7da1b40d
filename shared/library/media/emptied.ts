import { type AvailableMedia, type EditableMetadata, type WrittenField, writtenFields } from './media.ts'

/**
 * The fields that are empty because an edit made them so. One that no edit ever named is not among them: the file may say there what the
 * library doesn't know.
 * @param edited what the edit sets @returns undefined where there has never been one
 */
export function emptiedAfter(media: AvailableMedia, edited: Partial<EditableMetadata>): WrittenField[] | undefined {
  const before = new Set(media.emptied)
  const after = { ...media, ...edited }
  const emptied = writtenFields.filter((field) => isEmpty(after, field) && (field in edited || before.has(field)))
  return emptied.length > 0 || media.emptied ? emptied : undefined
}

function isEmpty(metadata: EditableMetadata, field: WrittenField): boolean {
  const value = metadata[field]
  if (typeof value !== 'object' || value === null) return !value
  return Object.values(value).every(({ length }: string | string[]) => length === 0)
}
