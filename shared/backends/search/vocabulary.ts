import type { IndexFile } from './index-file.ts'

/** More words are not worth listing: FTS5 puts the files of very many words together faster by itself. */
const MOST = 100

/** A word of an index. */
export interface IndexedWord {
  word: string
  /** In how many files it is, exactly: removed ones don't count. */
  files: number
}

/** A word whose files are counted when somebody asks: FTS5 reads all of them for that. */
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

/** The words of an index that begin so. @returns undefined for very many */
export function wordsBeginningWith(index: IndexFile, beginning: string): IndexedWord[] | undefined {
  const rows = index.rows<[string, number]>(
    `SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ${MOST + 1}`,
    beginning,
    `${beginning}\u{10ffff}`,
  )
  return rows.length > MOST ? undefined : rows.map(([word, files]) => ({ word, files }))
}

/** The number of files with a token of `terms`: to count the files that a query finds takes several times as long. */
export function filesWithToken(index: IndexFile, token: string): number {
  return index.value('SELECT doc FROM temp.vocabulary WHERE term = ?', token)
}
