import type { QueryType } from '../../vocabulary/parse-query.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { ShownMedia } from '../../vocabulary/shown-media.ts'
import type { StockLanguage } from '../../vocabulary/stock-language.ts'
import type { SearchQuery } from '../search/port.ts'

/**
 * The stock library: items that companies with the right may find and download besides their own media. There are two: the catalogue, whose
 * items are in this library's own storage, and a provider behind HTTP. Neither checks rights: callers do.
 *
 * The catalogue consists of functions of the domain, one for each way to use it, in `library/stock/`: `catalogueItems` and
 * `catalogueThumbnails` (catalogue-item.ts), `catalogueSearch` (catalogue-search.ts), `catalogueDownloads` (catalogue-download.ts).
 */

/** An item. Companies' own files and items of other stock libraries are never returned. */
export type StockItem = ShownMedia & {
  /** References to its thumbnails, which only the library that returned the item can turn into URLs. */
  thumbnails: { [Size in RenditionSize]?: string }
}

/** A search with the semantics of a search in own media (`../search/port.ts`). */
export interface StockQuery {
  /** Matches words in every language. Empty: everything that the criteria allow. */
  text: string
  matching: QueryType
  /** The caller's language. A library may rank by it; items contain all of their languages. */
  language: StockLanguage
  /** `mediaIds` are ids of items. */
  criteria: Omit<SearchQuery, 'terms' | 'scope'>
}

/** A download: what, and for whom. */
export interface StockDownload {
  /** null for the original. */
  size: RenditionSize | null
  /** The user to whom the download is attributed. */
  user: number
  /** The company whose right to the stock library is used. */
  company: number
}

/** The part of a stock library that only downloads sizes: functions that offer no originals need fewer resources. */
export interface StockSizes {
  download(mediaId: number, wanted: StockDownload & { size: RenditionSize }): Promise<{ url: string; metadataWritten: boolean }>
}

/**
 * Every call may throw `StockUnavailable`. The catalogue also throws the domain's errors, like downloads and searches of own media: a file
 * is still being prepared, an index is still being built.
 */
export interface StockLibrary {
  /** @returns the exact number of items that match, and one page of them in order */
  search(query: StockQuery): Promise<{ total: number; items: StockItem[]; partial?: true }>
  /** @returns undefined if there is none, or none yet */
  item(mediaId: number): Promise<StockItem | undefined>
  /** URL of an item's picture, valid for a day; the generic picture if there is none. @param item as this library returned it */
  thumbnail(item: StockItem, size: RenditionSize): Promise<string>
  /**
   * URL to download an item, valid for five minutes. A provider may count it as a sale.
   * @returns `metadataWritten` is false if the file should contain the library's metadata but can't be written
   * @throws StockMissing
   */
  download(mediaId: number, wanted: StockDownload): Promise<{ url: string; metadataWritten: boolean }>
}

/** There is no such item, or the item has no such size or no file. */
export class StockMissing extends Error {
  override name = 'StockMissing'
}

/** The stock library can't be used now: it doesn't answer, or its answers are invalid. */
export class StockUnavailable extends Error {
  override name = 'StockUnavailable'
  /** Whether a download may count as made, because the outcome of the request is unknown. */
  readonly mayBeMade: boolean
  constructor(message?: string, { mayBeMade = false } = {}) {
    super(message)
    this.mayBeMade = mayBeMade
  }
}
