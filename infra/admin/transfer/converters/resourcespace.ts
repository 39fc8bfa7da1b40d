import { parse } from 'csv-parse/sync'
import type { DescribedFile } from './described-file.ts'

/** Titles of columns, which an installation may have changed, in lower case. */
const COLUMNS = {
  id: ['resource id(s)', 'resource id', 'id'],
  filename: ['original filename'],
  title: ['title'],
  description: ['caption', 'description'],
  byline: ['credit'],
  copyright: ['copyright'],
  keywords: ['keywords', 'keywords - other'],
  date: ['date'],
} as const

/** Dates of ResourceSpace may lack their day, or have a month alone. */
const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}/

/**
 * Files of ResourceSpace. Downloads have each as `RS` with its id, `_` and its original name.
 * @param texts CSV of resources with their metadata
 * @throws Error in a sentence
 */
export function filesOfResourceSpace(texts: readonly string[]): DescribedFile[] {
  return texts.flatMap((text) => {
    const rows: Record<string, string>[] = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      ...{ bom: true, trim: true, skip_empty_lines: true, relax_column_count: true },
    })
    return rows.map((row, index) => {
      const value = (column: keyof typeof COLUMNS) => COLUMNS[column].map((title) => row[title]).find(Boolean)
      const [id, filename, date] = [value('id'), value('filename'), value('date')]
      if (!id || !filename) throw new Error(`row ${index + 1} has no ${id ? 'Original filename' : 'Resource ID(s)'}.`)
      return {
        path: `RS${id}_${filename}`,
        ...{ title: value('title'), description: value('description'), byline: value('byline'), copyright: value('copyright') },
        keywords: value('keywords')?.split(','),
        created: date && WHOLE_DAY.test(date) ? date : undefined,
        sourceId: id,
      }
    })
  })
}
