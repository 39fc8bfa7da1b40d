import { promisify } from 'node:util'
import {
  ItemTooLarge,
  type Key,
  MAX_ITEM_BYTES,
  type Table,
  type TableReader,
  TableUnavailable,
  WriteConflict,
} from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { companyPartition, type FolderRecord, newFolder } from './folder.ts'
import { Tree } from './tree.ts'

/*
 * A snapshot is a company's tree at one version, compressed, in a few items. Reading 100,000 folders one by one would take 3,000 read units
 * and more. Readers of whole trees take the last snapshot and the later log. The change that makes a snapshot due writes it. Two slots
 * alternate, so a reader can finish while the next snapshot is written. A writer replaces only older snapshots, so a slow one doesn't
 * damage a newer one. Incomplete and damaged snapshots count as missing.
 */

/** Changed folders after which a snapshot is due, so that reading the log stays cheaper than reading all folders. */
const CHANGED_FOLDERS = 1_000
/** Fewer folders than this need no snapshot: reading them is cheaper than the log. */
const FEWEST_FOLDERS = 2_000
/** Bytes of JSON per chunk, which fit into an item even uncompressed. */
const CHUNK_BYTES = 256 * 1024
/** A single folder may fill an item. */
const MAX_CHUNK_BYTES = CHUNK_BYTES + 2 * MAX_ITEM_BYTES

/** Compresses with a checksum, which detects damaged chunks. */
async function compressed(text: string): Promise<Buffer> {
  const { constants, zstdCompress } = await import('node:zlib')
  return promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
}

async function decompressed(bytes: Buffer): Promise<Buffer> {
  // Loaded on demand: most functions never read a whole tree.
  const { zstdDecompress } = await import('node:zlib')
  return promisify(zstdDecompress)(bytes, { maxOutputLength: MAX_CHUNK_BYTES })
}

/** The record of the last snapshot. */
type SnapshotRecord = Key & {
  /** Version of the tree. Its chunks have the same. */
  version: number
  slot: Slot
  chunks: number
}
type ChunkRecord = Key & {
  version: number
  /** A JSON array of folders, compressed, in base64. */
  folders: string
}
type Slot = 0 | 1

const snapshotKey = (companyId: CompanyId): Key => ({ pk: companyPartition(companyId), sk: 'TREESNAPSHOT' })
const chunkKey = (companyId: CompanyId, slot: Slot, chunk: number): Key => ({
  pk: companyPartition(companyId),
  sk: `TREESNAPSHOT#${slot}#${chunk}`,
})

/** Whether a snapshot is due after a change. @param before folders written and removed by all earlier changes @param now by this one */
export function isSnapshotDue(before: number, now: number): boolean {
  return Math.floor((before + now) / CHANGED_FOLDERS) > Math.floor(before / CHANGED_FOLDERS)
}

/**
 * Stores a snapshot of a tree, unless it is too small or a newer one is stored. After a failure the last snapshot stays until the next is
 * due.
 */
export async function renewSnapshot(table: Table, read: () => Promise<Tree>): Promise<void> {
  try {
    const tree = await read()
    if (tree.size >= FEWEST_FOLDERS) await write(table, tree)
  } catch (error) {
    const isOfTable = error instanceof TableUnavailable || error instanceof ItemTooLarge || error instanceof WriteConflict
    if (!isOfTable) throw error
  }
}

async function write(table: Table, tree: Tree): Promise<void> {
  const { companyId, version } = tree
  const last = await table.get<SnapshotRecord>(snapshotKey(companyId))
  if (last && last.version >= version) return
  const slot = last?.slot === 0 ? 1 : 0
  let chunks = 0
  for (const text of chunkTexts(tree)) {
    const folders = (await compressed(text)).toString('base64')
    const chunk: ChunkRecord = { ...chunkKey(companyId, slot, chunks++), version, folders }
    if (!(await replaceOlder(table, chunk))) return
  }
  const record: SnapshotRecord = { ...snapshotKey(companyId), version, slot, chunks }
  await replaceOlder(table, record)
}

/** @returns false, without writing, if the stored one is of this version or a newer one */
async function replaceOlder(table: Table, record: SnapshotRecord | ChunkRecord): Promise<boolean> {
  const isWritten = await held(table.put(record, { version: { below: record.version } }))
  return isWritten || held(table.put(record, { version: { exists: false } }))
}

/** A company's tree at its last snapshot. Undefined if that is missing, incomplete or damaged. */
export async function readSnapshot(table: TableReader, companyId: CompanyId): Promise<Tree | undefined> {
  const snapshot = await table.get<SnapshotRecord>(snapshotKey(companyId))
  if (!snapshot) return undefined
  // The chunks of a recorded snapshot never change, so the cheaper read suffices, except right after they are written.
  return (await readChunks(table, companyId, snapshot, false)) ?? (await readChunks(table, companyId, snapshot, true))
}

async function readChunks(
  table: TableReader,
  companyId: CompanyId,
  { version, slot, chunks }: SnapshotRecord,
  consistent: boolean,
): Promise<Tree | undefined> {
  const keys = Array.from({ length: chunks }, (_, chunk) => chunkKey(companyId, slot, chunk))
  const records = await table.getMany<ChunkRecord>(keys, { consistent })
  if (records.length !== chunks || records.some((record) => record.version !== version)) return undefined
  const folders: FolderRecord[] = []
  // One string shared by all folders.
  const pk = companyPartition(companyId)
  for (const record of records) {
    const stored = await storedFolders(record).catch(() => undefined)
    if (!stored) return undefined
    for (const folder of stored) folders.push(newFolder(folder.folderId, { companyId, pk, ...folder }))
  }
  return new Tree(companyId, version, folders)
}

/** @throws Error if the chunk is damaged */
async function storedFolders({ folders }: ChunkRecord): Promise<StoredFolder[]> {
  const text = await decompressed(Buffer.from(folders, 'base64'))
  return JSON.parse(text.toString())
}

/** The attributes of a folder that differ from a new folder's. */
type StoredFolder = Pick<FolderRecord, 'folderId' | 'name' | 'parent' | 'created'> & Partial<FolderRecord>

function storedFolder({ pk: _pk, sk: _sk, companyId: _companyId, grants, tags, cover, ...folder }: FolderRecord): StoredFolder {
  return {
    ...folder,
    ...(Object.keys(grants).length > 0 && { grants }),
    ...(tags.length > 0 && { tags }),
    ...(cover !== null && { cover }),
  }
}

/** JSON arrays of folders. Siblings are together, because that compresses best. */
function* chunkTexts(tree: Tree): Generator<string> {
  let texts: string[] = []
  let bytes = 0
  for (const folder of tree.everyStored().sort((a, b) => (a.parent ?? 0) - (b.parent ?? 0) || a.created - b.created)) {
    const text = JSON.stringify(storedFolder(folder))
    const size = Buffer.byteLength(text) + 1
    if (texts.length > 0 && bytes + size > CHUNK_BYTES) {
      yield `[${texts}]`
      texts = []
      bytes = 0
    }
    texts.push(text)
    bytes += size
  }
  if (texts.length > 0) yield `[${texts}]`
}
