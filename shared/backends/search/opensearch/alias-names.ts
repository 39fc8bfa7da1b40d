/** The aliases of an OpenSearch index. Their indexes have the name of the first and a number after it. */
export interface Aliases {
  /** The index that searches read. */
  current: string
  /** The index that a rebuild fills. Changes go into both as long as there is one. */
  next: string
}

export const serviceAliases: Aliases = { current: 'media', next: 'media-next' }
