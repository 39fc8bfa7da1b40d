import { DatabaseSync } from 'node:sqlite'
import { IndexDatabase } from './embedded-database.ts'

/** A file that objects of a bucket are made of. */
export interface NamedFile {
  file: string
  /** Size; unknown of a file of which objects take pieces. */
  bytes: number | null
  /** Unsigned; unknown of what was stored by earlier versions, and of what nobody has read yet. */
  crc32: number | null
}

/** The files that a copy of a bucket's index names, by name. @param index path of the copy, which this version has brought up to date */
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

/** Brings a restored index up to date, and takes uploads and compositions out of it that were not whole: their files are in no backup. */
export function forgetUnfinished(index: string): void {
  const database = new IndexDatabase(index)
  try {
    database.transaction(() => database.exec('DELETE FROM part_uploads; DELETE FROM compositions; DELETE FROM discarded'))
  } finally {
    database.close()
  }
}
