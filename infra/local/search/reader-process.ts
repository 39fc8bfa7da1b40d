import '../../umask.ts'
import { existsSync } from 'node:fs'
import { countFiles, IndexFile, isDamaged } from '../../../shared/backends/search/index-file.ts'
import { answer } from '../../../shared/backends/search/query.ts'
import { suggest } from '../../../shared/backends/search/suggest.ts'
import { RecentlyUsed } from '../../../shared/recently-used.ts'
import { lowerPriority } from '../../../shared/tools/processes/priority.ts'
import { type AnyEdition, type ReaderAnswer, type ReaderOrder, toSentError } from './messages.ts'
import { SEARCH_PRIORITY } from './priority.ts'
import { fromSent, fromSentSuggest, type SentQuery, type SentSuggestQuery } from './sent-query.ts'

/** Index files that stay open, each with 8 MB of memory. When more are used, the least recently used one is closed. */
const MOST_OPEN = 8
/** Ids in the lists of folders that are kept. */
const KEPT_IDS = 1_000_000

/** A process that answers queries from index files, one at a time. It writes nothing. */
lowerPriority(SEARCH_PRIORITY)
const files = new Map<string, IndexFile>()
const lists = new RecentlyUsed<readonly number[]>(KEPT_IDS, ({ length }) => length + 10)

// A server that has gone meanwhile needs no answer.
process.on('message', (order: ReaderOrder) => process.send?.(answerTo(order), () => undefined))
process.once('disconnect', () => process.exit())
// The server decides when readers end; the terminal's Ctrl-C goes to it alone.
process.on('SIGINT', () => undefined)

function answerTo(order: ReaderOrder): ReaderAnswer {
  if ('count' in order) return from(order, (index) => ({ counts: countFiles(index, order.count) }))
  const known = new Map(order.lists)
  const listOf = (number: number) => known.get(number) ?? lists.get(String(number))
  const read = 'suggest' in order ? suggesting(order.suggest, listOf) : answering(order.query, listOf)
  if (!read) return { failed: 'unknown list' }
  for (const [number, folders] of order.lists) lists.set(String(number), folders)
  return from(order, read)
}

type Read = (index: IndexFile) => ReaderAnswer
type ListOf = (number: number) => readonly number[] | undefined

function answering(query: SentQuery, listOf: ListOf): Read | undefined {
  const asked = fromSent(query, listOf)
  return asked && ((index) => ({ result: answer(index, asked) }))
}

function suggesting(query: SentSuggestQuery, listOf: ListOf): Read | undefined {
  const asked = fromSentSuggest(query, listOf)
  return asked && ((index) => ({ suggestions: suggest(index, asked) }))
}

/** What is read from an index. */
function from({ path, edition }: AnyEdition, read: Read): ReaderAnswer {
  try {
    const index = opened(path, edition)
    return index ? read(index) : { failed: 'unusable' }
  } catch (error) {
    close(path)
    return isDamaged(error) ? { failed: 'unusable' } : { error: toSentError(error) }
  }
}

/** @returns undefined when that edition is not at the path */
function opened(path: string, edition: string | undefined): IndexFile | undefined {
  const open = files.get(path)
  if (open && (!isWanted(open, edition) || !open.isInPlace)) close(path)
  if (!files.has(path) && !existsSync(path)) return undefined
  const index = files.get(path) ?? IndexFile.readOnly(path)
  files.delete(path)
  files.set(path, index)
  const [oldest] = files.keys()
  if (files.size > MOST_OPEN && oldest !== undefined) close(oldest)
  return isWanted(index, edition) ? index : undefined
}

function isWanted(index: IndexFile, edition: string | undefined): boolean {
  return edition === undefined || index.edition === edition
}

function close(path: string): void {
  files.get(path)?.close()
  files.delete(path)
}
