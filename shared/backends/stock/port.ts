import type { QueryType } from '../../vocabulary/parse-query.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { ShownMedia } from '../../vocabulary/shown-media.ts'
import type { StockLanguage } from '../../vocabulary/stock-language.ts'
import type { SearchQuery } from '../search/port.ts'

/**
 * The stock library: items that companies with the right may find and download besides their own media. There are two: the catalogue, whose
 * items are in this library's own storage, and a provider behind HTTP. Neither asks for rights: its callers do.
 *
 * The catalogue is made of functions of the domain, one for each way to use it, in `library/stock/`: `catalogueItems` and
 * `catalogueThumbnails` (catalogue-item.ts), `catalogueSearch` (catalogue-search.ts), `catalogueDownloads` (catalogue-download.ts).
 */

/** An item. Neither the company's own files nor items of other libraries are ever items. */
export type StockItem = ShownMedia & {
  /** Where the library that gave the item has its thumbnails: for that library alone, which makes URLs of them. */
  thumbnails: { [Size in RenditionSize]?: string }
}

/** A search, with the meanings that a search of own media has (`../search/port.ts`). */
export interface StockQuery {
  /** Finds words of every language. Empty: everything that the criteria allow. */
  text: string
  matching: QueryType
  /** In which the caller reads. A library may rank by it; items come with all of their languages. */
  language: StockLanguage
  /** `mediaIds` are ids of items. */
  criteria: Omit<SearchQuery, 'terms' | 'scope'>
}

/** What is to be downloaded, and for whom. */
export interface StockDownload {
  /** null for the original. */
  size: RenditionSize | null
  /** The user to whom the download is attributed. */
  user: number
  /** The company by whose right it is made. */
  company: number
}

/** The part of a stock library that downloads sizes alone: functions that offer no originals need less for it. */
export interface StockSizes {
  /** As `StockLibrary.download`. */
  download(mediaId: number, wanted: StockDownload & { size: RenditionSize }): Promise<{ url: string; metadataWritten: boolean }>
}

/**
 * Every call may throw `StockUnavailable`. The catalogue besides throws the domain's own errors, as downloads and searches of own media do: a
 * file that is still being prepared, an index that is still being built.
 */
export interface StockLibrary {
  /** @returns the exact number of items that match, and one page of them in order */
  search(query: StockQuery): Promise<{ total: number; items: StockItem[]; partial?: true }>
  /** @returns undefined where there is none, or none yet */
  item(mediaId: number): Promise<StockItem | undefined>
  /** URL of an item's picture, good for a day: the generic picture where there is none. @param item as this library gave it */
  thumbnail(item: StockItem, size: RenditionSize): Promise<string>
  /**
   * URL, good for five minutes, from which an item can be downloaded. A provider may count it as a sale.
   * @returns `metadataWritten` false where the file should carry the library's metadata and can't be written
   * @throws StockMissing
   */
  download(mediaId: number, wanted: StockDownload): Promise<{ url: string; metadataWritten: boolean }>
}

/** There is no such item, or the item has no such size or no file. */
export class StockMissing extends Error {
  override name = 'StockMissing'
}

/** The stock library can't be used now: it does not answer, or not sanely. */
export class StockUnavailable extends Error {
  override name = 'StockUnavailable'
  /** Of a download: whether it may count as made, since nobody knows what became of the request. */
  readonly mayBeMade: boolean
  constructor(message?: string, { mayBeMade = false } = {}) {
    super(message)
    this.mayBeMade = mayBeMade
  }
}
