import type { SQLInputValue } from 'node:sqlite'
import { perObject } from '../../per-object.ts'
import type { IndexFile } from './index-file.ts'

/** Larger sets get a table of their own: reading one from JSON takes as long as most queries. */
const LARGE = 500

/** Cached large sets (LRU). Callers reuse a set until a folder changes. */
const KEPT_SETS = 6

/** A set of folders in a query. */
export interface FolderSet {
  folders: readonly number[]
  /** The operand of `IN`, and the values of its parameters. */
  sql: string
  values: SQLInputValue[]
  /** Must be read in the query's transaction, like `counted`. */
  readonly holds: Contents
  /** A number computed from the files in the folders. It is cached until a file enters or leaves any folder. */
  counted(what: string, count: () => number): number
}

/** The contents of a set of folders. */
interface Contents {
  /** A file in several of the folders counts once for each. */
  pointers: number
  /** Pointers of files that are in several folders of the company. */
  sharedPointers: number
  /** Folders with shared pointers. */
  sharingFolders: number
}

interface Counted {
  at: number
  holds: Contents
  numbers: Map<string, number>
}

/** The sets of folders of an index, most of which are used by many queries. A set is identified by its array, not by its contents. */
class FolderSets {
  readonly #index: IndexFile
  /** Large sets by the numbers of their tables, the most recently used last. */
  readonly #tables = new Map<number, readonly number[]>()
  readonly #counted = new WeakMap<readonly number[], Counted>()

  constructor(index: IndexFile) {
    this.#index = index
  }

  /** The sets of one query, by their lists. Must be called outside of transactions: a rollback would empty its tables. */
  of(lists: readonly (readonly number[])[]): ReadonlyMap<readonly number[], FolderSet> {
    const used = new Set<number>()
    return new Map(
      lists.map((folders) => {
        const table = folders.length > LARGE ? this.#table(folders, used) : undefined
        if (table === undefined) return [folders, this.#set(folders, '(SELECT value FROM json_each(?))', [JSON.stringify(folders)])]
        used.add(table)
        return [folders, this.#set(folders, tableName(table), [])]
      }),
    )
  }

  #set(folders: readonly number[], sql: string, values: SQLInputValue[]): FolderSet {
    const current = () => this.#current(folders, sql, values)
    return {
      folders,
      sql,
      values,
      get holds() {
        return current().holds
      },
      counted(what, count) {
        const { numbers } = current()
        const number = numbers.get(what) ?? count()
        numbers.set(what, number)
        return number
      },
    }
  }

  #current(folders: readonly number[], sql: string, values: SQLInputValue[]): Counted {
    const at = this.#index.placementChanges
    const before = this.#counted.get(folders)
    if (before?.at === at) return before
    const counted: Counted = { at, holds: this.#contents(sql, values), numbers: new Map() }
    this.#counted.set(folders, counted)
    return counted
  }

  #contents(sql: string, values: SQLInputValue[]): Contents {
    const sums = 'SELECT sum(files), sum(shared), count(*) FILTER (WHERE shared > 0) FROM folder'
    const [pointers, sharedPointers, sharingFolders] = this.#index.row<(number | null)[]>(`${sums} WHERE id IN ${sql}`, ...values)!
    return { pointers: pointers ?? 0, sharedPointers: sharedPointers ?? 0, sharingFolders: sharingFolders ?? 0 }
  }

  /** @param used tables of the query's other sets. @returns the set's table; undefined when all tables are used */
  #table(folders: readonly number[], used: ReadonlySet<number>): number | undefined {
    const known = this.#tables.entries().find(([, kept]) => kept === folders)?.[0]
    const table = known ?? this.#freeTable(used)
    if (table === undefined) return undefined
    this.#tables.delete(table)
    if (known === undefined) this.#fill(table, folders)
    this.#tables.set(table, folders)
    return table
  }

  #freeTable(used: ReadonlySet<number>): number | undefined {
    const tables = Array.from({ length: KEPT_SETS }, (_, n) => n)
    return tables.find((table) => !this.#tables.has(table)) ?? this.#tables.keys().find((oldest) => !used.has(oldest))
  }

  #fill(table: number, folders: readonly number[]): void {
    this.#index.run(`CREATE TEMP TABLE IF NOT EXISTS set_${table} (folder INTEGER PRIMARY KEY)`)
    this.#index.run(`DELETE FROM ${tableName(table)}`)
    this.#index.run(`INSERT OR IGNORE INTO ${tableName(table)} SELECT value FROM json_each(?)`, JSON.stringify(folders))
  }
}

const tableName = (table: number): string => `temp.set_${table}`

/** The folder sets of an index, as long as its file is open. */
export const folderSetsOf = perObject((index: IndexFile) => new FolderSets(index))
