import { ageOf, type DocumentFeed, type Removal, type SearchDocument } from '../../../shared/backends/search/port.ts'

export type Change = SearchDocument | Removal

/** A change feed in memory that is as awkward as a feed may be: it comes in pages and tells changes again that it has told before. */
export class MemoryFeed implements DocumentFeed {
  readonly #committed = new Map<number, Change[]>()
  readonly #page: number
  readonly #overlap: number

  /** @param page changes told in one call, of which up to `overlap` were told before */
  constructor({ page = 100, overlap = 5 } = {}) {
    this.#page = page
    this.#overlap = overlap
  }

  /** Commits changes, in the order in which the feed tells them. */
  commit(companyId: number, ...changes: Change[]): void {
    this.#committed.set(companyId, [...(this.#committed.get(companyId) ?? []), ...changes])
  }

  async changes(companyId: number, position: string | undefined) {
    const all = this.#committed.get(companyId) ?? []
    const reached = Number(position ?? 0)
    const end = Math.min(all.length, reached + this.#page)
    return { changes: all.slice(Math.max(0, reached - this.#overlap), end), position: String(end), more: end < all.length }
  }

  async documents(companyId: number, mediaIds: readonly number[]): Promise<SearchDocument[]> {
    const newest = new Map<number, Change>()
    for (const change of this.#committed.get(companyId) ?? []) {
      const known = newest.get(change.mediaId)
      if (!known || ageOf(change) > ageOf(known)) newest.set(change.mediaId, change)
    }
    return mediaIds.flatMap((mediaId) => {
      const change = newest.get(mediaId)
      return change === undefined || 'removed' in change ? [] : [change]
    })
  }
}

/** What a test cares for of a document. Where there is one language only, its text may stand alone. */
export type DocumentFields = Partial<Omit<SearchDocument, 'title' | 'description'>> & {
  mediaId: number
  title?: string | string[]
  description?: string | string[]
}

/** A document with the fields that a test cares for. */
export function aDocument({ title = [], description = [], ...fields }: DocumentFields): SearchDocument {
  return {
    revision: 1,
    folders: [1],
    kind: 'image',
    created: 1_700_000_000_000 + fields.mediaId,
    cameraCreated: null,
    modified: 1_700_000_000_000,
    width: 3000,
    height: 2000,
    latitude: null,
    longitude: null,
    expires: null,
    title: [title].flat(),
    description: [description].flat(),
    keywords: [],
    suggestedKeywords: [],
    byline: '',
    copyright: '',
    filename: '',
    bytes: 1_000,
    ...fields,
  }
}
