import type { IndexFile } from './index-file.ts'
import { type SearchableText, substringText } from './searchable-text.ts'

/** The searchable text of the document at a label. */
export function readText(index: IndexFile, label: number): SearchableText | undefined {
  const row = index.row<string[]>(
    'SELECT title, keywords, filename, description, suggested, byline, copyright FROM text WHERE label = ?',
    label,
  )
  if (!row) return undefined
  const [title = '', keywords = '', filename = '', description = '', suggested = '', byline = '', copyright = ''] = row
  return { title, keywords, filename, description, suggested, byline, copyright }
}

/** Stores and indexes text at a label that has none. */
export function writeText(index: IndexFile, label: number, text: SearchableText): void {
  index.run('INSERT INTO text VALUES (?, ?, ?, ?, ?, ?, ?, ?)', label, ...columns(text))
  writeMatches(index, label, text)
}

/** Indexes text that is stored already. */
export function writeMatches(index: IndexFile, label: number, text: SearchableText): void {
  index.run(
    'INSERT INTO words (rowid, title, keywords, filename, description, suggested, byline, copyright) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    label,
    ...columns(text),
  )
  const { label: heading, filename, elsewhere } = substringText(text)
  index.run('INSERT INTO grams (rowid, label, filename, elsewhere) VALUES (?, ?, ?, ?)', label, heading, filename, elsewhere)
}

/** Removes the text at a label. */
export function deleteText(index: IndexFile, label: number): void {
  index.run('DELETE FROM text WHERE label = ?', label)
  deleteMatches(index, label)
}

/** Removes the text at a label from the index. It stays stored. */
export function deleteMatches(index: IndexFile, label: number): void {
  index.run('DELETE FROM words WHERE rowid = ?', label)
  index.run('DELETE FROM grams WHERE rowid = ?', label)
}

function columns(text: SearchableText): string[] {
  return [text.title, text.keywords, text.filename, text.description, text.suggested, text.byline, text.copyright]
}
