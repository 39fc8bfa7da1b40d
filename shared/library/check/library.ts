import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { Item, TableReader, TableScanner } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { StoredFolders } from './stored-folders.ts'

/** The library that is checked. */
export interface CheckedLibrary {
  table: TableReader
  scanner: TableScanner
  /** The `media` bucket; without it only the table is checked. */
  media?: ObjectReader | undefined
  /** The `public` bucket; without it its objects are not checked. */
  publicFiles?: ObjectReader | undefined
  clock: Clock
}

/** The part of the library that a check of one subject reads. */
export interface Library extends Omit<CheckedLibrary, 'scanner'> {
  /** The folders of a company, read after its files; undefined for an unknown one. */
  foldersOf(companyId: CompanyId): Promise<StoredFolders | undefined>
}

/** A unit of checking, identified by kind and id. `item` and `sizes` come from the walk, and are absent when a suspect is checked again. */
export interface Subject {
  kind: SubjectKind
  id: string
  /** Of `item`. */
  item?: Item
  /** Of `objects`: their sizes in bytes, by key. */
  sizes?: ReadonlyMap<string, number>
}

export type SubjectKind = 'item' | 'folders' | 'file' | 'original' | 'usage' | 'object' | 'objects' | 'public' | 'stream'
