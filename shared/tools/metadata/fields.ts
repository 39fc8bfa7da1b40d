/** Fields to write into a file. An empty text or list removes the field; an absent one keeps the file's value. */
export interface WrittenFields {
  title?: string
  copyright?: string
  description?: string
  keywords?: readonly string[]
}

/** MIME types of files that can contain the fields, animated PNGs included. The sniffed type counts, whatever the file's name. */
export const writableTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/apng', 'image/tiff']

/** Whether files of a MIME type can contain the fields. */
export function isWritable(mime: string): boolean {
  return writableTypes.includes(mime)
}

/** Normalises fields for a file: distinct keywords, trimmed texts, and no characters that XML doesn't allow. */
export function writable({ title, copyright, description, keywords }: WrittenFields): WrittenFields {
  return {
    ...(title !== undefined && { title: text(title) }),
    ...(copyright !== undefined && { copyright: text(copyright) }),
    ...(description !== undefined && { description: text(description) }),
    ...(keywords !== undefined && { keywords: [...new Set(keywords.map(text))].filter((word) => word !== '') }),
  }
}

/** XML 1.0 has no lone surrogates, no control characters except tab and line feed, and one kind of line break. */
function text(value: string): string {
  return value.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(NOT_IN_XML, '').trim()
}

const NOT_IN_XML = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu
