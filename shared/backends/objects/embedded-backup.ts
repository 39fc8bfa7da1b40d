import { DatabaseSync } from 'node:sqlite'
import { IndexDatabase } from './embedded-database.ts'

/** A file with bytes of a bucket's objects. */
export interface NamedFile {
  file: string
  /** Size; unknown for files in extents. */
  bytes: number | null
  /** Unsigned; unknown for files that were never read. */
  crc32: number | null
}

/** The files that a copy of a bucket's index names, sorted. @param index path of the copy */
export function* filesNamedBy(index: string): Generator<NamedFile> {
  const database = new DatabaseSync(index)
  try {
    const named = `SELECT file, bytes FROM objects WHERE file NOT IN (SELECT object FROM extents)
      UNION ALL SELECT DISTINCT file, NULL FROM extents WHERE file NOT IN (SELECT file FROM objects)`
    const checked = `SELECT file, bytes, crc32 FROM (${named}) LEFT JOIN checksums USING (file) ORDER BY file`
    for (const row of database.prepare(checked).iterate()) yield row as unknown as NamedFile
  } finally {
    database.close()
  }
}

/** Removes unfinished uploads and compositions from a restored index, because their files are in no backup. */
export function forgetUnfinished(index: string): void {
  const database = new IndexDatabase(index)
  try {
    database.transaction(() => database.exec('DELETE FROM part_uploads; DELETE FROM compositions; DELETE FROM discarded'))
  } finally {
    database.close()
  }
}
