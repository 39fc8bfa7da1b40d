/**
 * Secondary indexes of the table: sparse, an item is in an index when it has both attributes (strings).
 * CDK and the embedded adapter both make them from here.
 */
export const indexes = {
  /** Pointers by folder: `FOLDER#<contents id>` / `MEDIA#<id>`. */
  pointersByFolder: { pk: 'folderKey', sk: 'mediaKey', projection: 'keys' },
  /**
   * Records that are due at a time: entries of trashcans, to be deleted (`TRASH#<shard>` / `<ISO time>`), and records whose job should have
   * ended (`JOB#<shard>` / `<ISO time>`). The name is that of its first use: a deployed index can't be renamed in one update.
   */
  trashDue: { pk: 'dueKey', sk: 'dueAt', projection: 'keys' },
  /** Media changes of a company by commit time: `COMPANY#<id>#<shard>` / `<ISO time>#<media id>`. Feeds the search index. */
  changeFeed: { pk: 'feedKey', sk: 'changedAt', projection: 'keys' },
  /** Files of a company by the MD5 of their bytes: `<hex>` / `COMPANY#<id>#<shard>`. */
  checksums: { pk: 'md5', sk: 'feedKey', projection: 'keys' },
} as const satisfies Record<string, IndexSchema>

export interface IndexSchema {
  /** Attribute that is the index's partition key. */
  pk: string
  /** Attribute that is the index's sort key. */
  sk: string
  /** `keys`: index reads yield the table's and the index's key attributes only; `all`: whole items. */
  projection: 'keys' | 'all'
}

export type IndexName = keyof typeof indexes
