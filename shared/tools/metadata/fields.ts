/** The fields that are written into a file. An empty text or list removes the field from the file; an absent one leaves what the file says. */
export interface WrittenFields {
  title?: string
  copyright?: string
  description?: string
  keywords?: readonly string[]
}

/** Media types whose files can carry the fields, PNGs that move among them. It is the sniffed type that counts, whatever the file's name. */
export const writableTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/apng', 'image/tiff']

/** Whether files of a media type can carry the fields. */
export function isWritable(mime: string): boolean {
  return writableTypes.includes(mime)
}

/** The fields as a file can hold them: keywords each once, no text empty but for blanks, and no character that XML doesn't have. */
export function writable({ title, copyright, description, keywords }: WrittenFields): WrittenFields {
  return {
    ...(title !== undefined && { title: text(title) }),
    ...(copyright !== undefined && { copyright: text(copyright) }),
    ...(description !== undefined && { description: text(description) }),
    ...(keywords !== undefined && { keywords: [...new Set(keywords.map(text))].filter((word) => word !== '') }),
  }
}

/** Half a surrogate pair and most control characters have no form in XML 1.0, which knows one kind of line break only. */
function text(value: string): string {
  return value.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(NOT_IN_XML, '').trim()
}

const NOT_IN_XML = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu
