import type { DocumentFeed, SearchDocument } from './port.ts'

/** Approximate limit of cached documents, in characters. */
const KEPT_CHARACTERS = 4_000_000

/** Documents of these files are needed to go on. */
export class DocumentsNeeded extends Error {
  override name = 'DocumentsNeeded'
  readonly mediaIds: readonly number[]

  constructor(mediaIds: readonly number[]) {
    super(`${mediaIds.length} documents are needed`)
    this.mediaIds = mediaIds
  }
}

/** Documents of indexed files. The index doesn't hold their text, which reindexing needs. */
export class KnownDocuments {
  readonly #documents = new Map<number, SearchDocument | undefined>()
  #characters = 0

  add(document: SearchDocument, characters: number): void {
    this.#documents.set(document.mediaId, document)
    this.#characters += characters
  }

  /**
   * These documents, undefined for files that are removed.
   * @throws DocumentsNeeded
   */
  of(mediaIds: readonly number[]): (SearchDocument | undefined)[] {
    const unknown = mediaIds.filter((mediaId) => !this.#documents.has(mediaId))
    if (unknown.length > 0) throw new DocumentsNeeded(unknown)
    return mediaIds.map((mediaId) => this.#documents.get(mediaId))
  }

  /** Reads what is needed. */
  async read(companyId: number, feed: DocumentFeed, { mediaIds }: DocumentsNeeded): Promise<void> {
    for (const mediaId of mediaIds) this.#documents.set(mediaId, undefined)
    for (const document of await feed.documents(companyId, mediaIds)) this.add(document, JSON.stringify(document).length)
  }

  /** Clears the cache when it is full. Not to be called between two attempts at the same work, which may need more than the limit. */
  forgetMany(): void {
    if (this.#characters <= KEPT_CHARACTERS) return
    this.#documents.clear()
    this.#characters = 0
  }
}
