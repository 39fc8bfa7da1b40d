/**
 * SQL that lists a file as discarded if no object, extent or part refers to it. It runs in the same transaction, so that the file is
 * unlinked even after a crash.
 */
function discardUnused(file: string): string {
  const isUnused = ['objects', 'extents', 'composed_parts'].map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE file = ${file})`)
  return `INSERT OR IGNORE INTO discarded SELECT ${file} WHERE ${isUnused.join(' AND ')}`
}

/** Keys are blobs, so that they are sorted by their bytes. */
const objects = `
  CREATE TABLE IF NOT EXISTS objects (
    key BLOB PRIMARY KEY, file TEXT NOT NULL, bytes INTEGER NOT NULL,
    content_type TEXT NOT NULL, cache_control TEXT, disposition TEXT, cache_tag TEXT, modified INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS objects_by_file ON objects (file);
  CREATE TABLE IF NOT EXISTS discarded (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** A composed object may have extents instead of a file: pieces of its own and of other objects' files, without a copy. */
const extents = `
  CREATE TABLE IF NOT EXISTS extents (
    object TEXT NOT NULL, position INTEGER NOT NULL, file TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (object, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS extents_by_file ON extents (file);
`

/**
 * One writer at a time appends parts to a file. Bytes outside of parts are remains of interrupted writers or replaced parts. A part may
 * also be a piece of an object's file, which it protects from removal.
 */
const compositions = `
  CREATE TABLE IF NOT EXISTS compositions (
    id TEXT PRIMARY KEY, key BLOB NOT NULL, begun INTEGER NOT NULL,
    content_type TEXT NOT NULL, cache_control TEXT, disposition TEXT, cache_tag TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS composed_files (
    file TEXT PRIMARY KEY, composition TEXT NOT NULL REFERENCES compositions ON DELETE CASCADE, writer TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS composed_files_by_composition ON composed_files (composition);
  CREATE TABLE IF NOT EXISTS composed_parts (
    composition TEXT NOT NULL REFERENCES compositions ON DELETE CASCADE, number INTEGER NOT NULL,
    file TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, crc32 INTEGER NOT NULL,
    PRIMARY KEY (composition, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS composed_parts_by_file ON composed_parts (file);
`

/** A file holds all parts of a client's upload, each at its position. */
const partUploads = `
  CREATE TABLE IF NOT EXISTS part_uploads (
    id TEXT PRIMARY KEY, key BLOB NOT NULL, file TEXT NOT NULL UNIQUE, part_bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS received_parts (
    upload TEXT NOT NULL REFERENCES part_uploads ON DELETE CASCADE, number INTEGER NOT NULL,
    bytes INTEGER NOT NULL, etag TEXT NOT NULL, modified INTEGER NOT NULL,
    PRIMARY KEY (upload, number)
  ) STRICT, WITHOUT ROWID;
`

/** CRC-32 of files, where it was known at the write. By file and not by object, because files never change. */
const checksums = `
  CREATE TABLE IF NOT EXISTS checksums (file TEXT PRIMARY KEY, crc32 INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS checksum_of_discarded AFTER INSERT ON discarded
    BEGIN DELETE FROM checksums WHERE file = new.file; END;
`

const triggers = `
  CREATE TRIGGER IF NOT EXISTS object_file_replaced AFTER UPDATE ON objects
    BEGIN DELETE FROM extents WHERE object = old.file; ${discardUnused('old.file')}; END;
  CREATE TRIGGER IF NOT EXISTS object_file_deleted AFTER DELETE ON objects
    BEGIN DELETE FROM extents WHERE object = old.file; ${discardUnused('old.file')}; END;
  CREATE TRIGGER IF NOT EXISTS extent_deleted AFTER DELETE ON extents
    BEGIN ${discardUnused('old.file')}; END;
  CREATE TRIGGER IF NOT EXISTS composed_part_deleted AFTER DELETE ON composed_parts
    BEGIN ${discardUnused('old.file')}; END;
  CREATE TRIGGER IF NOT EXISTS composed_part_replaced AFTER UPDATE OF file ON composed_parts
    BEGIN ${discardUnused('old.file')}; END;
`

/** All tables of an embedded bucket's index. */
export const SCHEMA = objects + extents + compositions + partUploads + checksums + triggers
