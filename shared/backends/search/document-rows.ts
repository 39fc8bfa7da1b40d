import { filenameKey } from '../../vocabulary/filename-key.ts'
import { freeLabel } from './document-order.ts'
import type { IndexFile } from './index-file.ts'
import { deleteText, fingerprint, indexedText, writeText } from './index-text.ts'
import type { KnownDocuments } from './known-documents.ts'
import type { Removal, SearchDocument } from './port.ts'
import { bylineKey } from './searchable-text.ts'

interface Stored {
  label: number
  created: number
  /** Fingerprint of its text; null when that isn't indexed. */
  text: number | null
}

/** `ageOf` the newest change of a file that the index has; 0 when it has none. */
export function knownAge(index: IndexFile, mediaId: number): number {
  return index.value(
    `SELECT max(age) FROM (
      SELECT 2 * revision AS age FROM doc WHERE media_id = ?1 UNION ALL
      SELECT 2 * revision + 1 FROM tombstone WHERE media_id = ?1 UNION ALL
      SELECT 2 * revision + (document IS NULL) FROM pending WHERE media_id = ?1)`,
    mediaId,
  )
}

/**
 * Indexes a document that is newer than the one in the index.
 * @throws DocumentsNeeded
 */
export function putDocument(index: IndexFile, document: SearchDocument, known: KnownDocuments): void {
  let old = stored(index, document.mediaId)
  if (old && old.created !== document.created) {
    erase(index, old.label)
    old = undefined
  }
  const label = old?.label ?? freeLabel(index, [document.created, document.mediaId], known)
  const text = indexedText(document)
  const print = fingerprint(text)
  // No INSERT OR REPLACE: it opens a savepoint, at which FTS5 writes its buffer to the file. Indexing would take four times as long.
  if (old) index.run('DELETE FROM doc WHERE label = ?', label)
  insertRow(index, label, document, print)
  // Most changes are moves between folders or edits of one field: unchanged text is not indexed again.
  if (old?.text !== print) {
    if (old) deleteText(index, label)
    writeText(index, label, text)
  }
  putFolders(index, label, old ? foldersOf(index, label) : new Set(), document.folders)
  index.run('DELETE FROM tombstone WHERE media_id = ?', document.mediaId)
}

/** Removes a document. The removal is stored, so that an older document that comes late doesn't bring the file back. */
export function removeDocument(index: IndexFile, { mediaId, revision }: Removal): void {
  const old = stored(index, mediaId)
  if (old) erase(index, old.label)
  index.run('INSERT OR REPLACE INTO tombstone VALUES (?, ?)', mediaId, revision)
}

function stored(index: IndexFile, mediaId: number): Stored | undefined {
  const row = index.row<[number, number, number | null]>('SELECT label, created, text FROM doc WHERE media_id = ?', mediaId)
  return row && { label: row[0], created: row[1], text: row[2] }
}

/** Removes everything of the document at a label. */
function erase(index: IndexFile, label: number): void {
  deleteText(index, label)
  putFolders(index, label, foldersOf(index, label), [])
  index.run('DELETE FROM doc WHERE label = ?', label)
}

function insertRow(index: IndexFile, label: number, document: SearchDocument, text: number): void {
  const { mediaId, revision, kind, created, cameraCreated, modified, width, height, latitude, longitude, expires, filename, bytes } =
    document
  const { byline, folders } = document
  const point = latitude === null || longitude === null ? undefined : pointOnSphere({ latitude, longitude })
  index.run(
    'INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    label,
    mediaId,
    revision,
    kind,
    created,
    cameraCreated,
    modified,
    width,
    height,
    point?.x ?? null,
    point?.y ?? null,
    point?.z ?? null,
    expires,
    text,
    filenameKey(filename),
    bytes,
    bylineKey(byline) || null,
    folders[0]!,
    folders.length > 1 ? JSON.stringify(folders) : null,
  )
}

function foldersOf(index: IndexFile, label: number): Set<number> {
  return new Set(index.rows<[number]>('SELECT folder FROM placement WHERE label = ?', label).map(([folder]) => folder))
}

/** Replaces the pointers by those given, and updates the counts of folders (index-file.ts). */
function putFolders(index: IndexFile, label: number, before: ReadonlySet<number>, folders: readonly number[]): void {
  const after = new Set(folders)
  const [wasShared, isShared] = [before.size > 1, after.size > 1]
  for (const folder of before.union(after)) {
    const files = change(index, 'placement', { folder, label }, before.has(folder), after.has(folder))
    const shared = change(index, 'shared', { folder, label }, wasShared && before.has(folder), isShared && after.has(folder))
    if (files === 0 && shared === 0) continue
    index.run(
      'INSERT INTO folder VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET files = files + excluded.files, shared = shared + excluded.shared',
      folder,
      files,
      shared,
    )
    if (files < 0) index.run('DELETE FROM folder WHERE id = ? AND files = 0', folder)
  }
  const [files, pointers] = [Math.sign(after.size) - Math.sign(before.size), after.size - before.size]
  // By its key: a statement that may change several rows opens a savepoint, at which FTS5 writes its buffer to the file.
  if (pointers !== 0) index.run('UPDATE state SET files = files + ?, pointers = pointers + ? WHERE rowid = 1', files, pointers)
  if (before.symmetricDifference(after).size > 0) index.placementsChanged()
}

/** Inserts or deletes a row. @returns by how many rows the table changed */
function change(
  index: IndexFile,
  table: 'placement' | 'shared',
  { folder, label }: { folder: number; label: number },
  before: boolean,
  after: boolean,
): number {
  if (before === after) return 0
  index.run(after ? `INSERT INTO ${table} VALUES (?, ?)` : `DELETE FROM ${table} WHERE folder = ? AND label = ?`, folder, label)
  return after ? 1 : -1
}

/** A place on earth, in degrees. */
export interface Place {
  latitude: number
  longitude: number
}

/**
 * The place as a point on the unit sphere. The product of two points is the cosine of the angle between them, so it orders places by distance
 * along the ground, with three products for each. Places within 0.1 m of the point that distance is measured from count as that point.
 */
export function pointOnSphere({ latitude, longitude }: Place): { x: number; y: number; z: number } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return { x: Math.cos(phi) * Math.cos(lambda), y: Math.cos(phi) * Math.sin(lambda), z: Math.sin(phi) }
}
