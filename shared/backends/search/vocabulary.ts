import type { IndexFile } from './index-file.ts'

/** Limit of listed words. FTS5 merges the files of more words faster by itself. */
const MOST = 100

/** A word of an index. */
export interface IndexedWord {
  word: string
  /** Exact number of files with it, without removed ones. */
  files: number
}

/** A word whose files are counted on first use, because FTS5 reads all of them for that. */
export function indexedWord(index: IndexFile, word: string): IndexedWord {
  let files: number | undefined
  return {
    word,
    get files() {
      files ??= filesWithToken(index, word)
      return files
    },
  }
}

/** The words of an index with this beginning. @returns undefined for more than `MOST` */
export function wordsBeginningWith(index: IndexFile, beginning: string): IndexedWord[] | undefined {
  const rows = index.rows<[string, number]>(
    `SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ${MOST + 1}`,
    beginning,
    `${beginning}\u{10ffff}`,
  )
  return rows.length > MOST ? undefined : rows.map(([word, files]) => ({ word, files }))
}

/** The number of files with a token of `terms`. Several times as fast as counting a query's matches. */
export function filesWithToken(index: IndexFile, token: string): number {
  return index.value('SELECT doc FROM temp.vocabulary WHERE term = ?', token)
}
