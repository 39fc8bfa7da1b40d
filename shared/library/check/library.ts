import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { TableReader, TableScanner } from '../../backends/table/port.ts'
import { findCompany } from '../accounts/companies.ts'
import { loadTree } from '../tree/tree-store.ts'
import { CompanyFolders } from './company-folders.ts'

/** What is checked. */
export interface CheckedParts {
  table: TableReader
  scanner: TableScanner
  /** The `media` bucket; where it is absent the table alone is checked. */
  media?: ObjectReader
  clock: Clock
}

/** A library as the looks of a check read it: as it is committed at that moment. */
export class Library {
  readonly table: TableReader
  readonly media: ObjectReader | undefined
  readonly clock: Clock
  readonly #asRead = new Map<number, Promise<CompanyFolders | undefined>>()

  constructor({ table, media, clock }: CheckedParts) {
    // A reader of its own: what is kept in memory of trees (tree/tree-store.ts) is kept by reader, and a check believes nothing but the table.
    this.table = {
      get: (key, options) => table.get(key, options),
      getMany: (keys, options) => table.getMany(keys, options),
      query: (query) => table.query(query),
      settleTime: table.settleTime,
    }
    this.media = media
    this.clock = clock
  }

  /** All folders of a company as they are now; undefined for an unknown company. */
  async folders(companyId: number): Promise<CompanyFolders | undefined> {
    const [company, tree] = await Promise.all([findCompany(this.table, companyId), loadTree(this.table, companyId)])
    return company && CompanyFolders.of(tree)
  }

  /** The same as first read in this check: good for a first look. */
  foldersAsRead(companyId: number): Promise<CompanyFolders | undefined> {
    const known = this.#asRead.get(companyId) ?? this.folders(companyId)
    this.#asRead.set(companyId, known)
    return known
  }
}
