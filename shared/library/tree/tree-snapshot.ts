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
import { held } from '../conditional.ts'
import { companyPartition, type FolderRecord, newFolder } from './folder.ts'
import { Tree } from './tree.ts'

/*
 * A snapshot is a company's tree at one version, compressed, in a few items: reading 100,000 folders one by one takes 3,000 read units and
 * more. Whoever needs the whole tree reads the last snapshot and the log since. The change that makes a snapshot due writes it. Two are kept
 * in turn, so that a reader finds the one that it was told of while the next is written. A writer replaces only what is older: one that is slow
 * does no harm to a newer snapshot. What isn't complete and sound is as if it weren't there.
 */

/** A snapshot is due when so many folders have changed since the last: the log since may take no more than a part of what reading all takes. */
const CHANGED_FOLDERS = 1_000
/** Reading fewer folders takes less than reading the log of so many changes. */
const FEWEST_FOLDERS = 2_000
/** Bytes of JSON in one chunk: they fit into an item even where they can't be compressed. */
const CHUNK_BYTES = 256 * 1024
/** A single folder may take as much as an item. */
const MAX_CHUNK_BYTES = CHUNK_BYTES + 2 * MAX_ITEM_BYTES

/** With a checksum, which tells a damaged chunk. */
async function compressed(text: string): Promise<Buffer> {
  const { constants, zstdCompress } = await import('node:zlib')
  return promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
}

async function decompressed(bytes: Buffer): Promise<Buffer> {
  // Loaded when it is needed: most functions never read a whole tree.
  const { zstdDecompress } = await import('node:zlib')
  return promisify(zstdDecompress)(bytes, { maxOutputLength: MAX_CHUNK_BYTES })
}

/** Tells of the last snapshot. */
type SnapshotRecord = Key & {
  /** Of the tree. Its chunks name it, too. */
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

/** Whether a snapshot is due after a change. @param before folders that all earlier changes wrote and took out @param now that it did */
export function isSnapshotDue(before: number | undefined, now: number): boolean {
  // Earlier versions didn't count, and made none.
  if (before === undefined) return true
  return Math.floor((before + now) / CHANGED_FOLDERS) > Math.floor(before / CHANGED_FOLDERS)
}

/**
 * Stores a snapshot of a tree, unless that would be of no use or a newer one is there. Where it fails, the last one stays: the next is due soon
 * enough.
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

/** @returns false, and writes nothing, where what is there is of this version or a newer one */
async function replaceOlder(table: Table, record: SnapshotRecord | ChunkRecord): Promise<boolean> {
  const isWritten = await held(table.put(record, { version: { below: record.version } }))
  return isWritten || held(table.put(record, { version: { exists: false } }))
}

/** A company's tree at the version of its last snapshot; undefined where there is none that is complete and sound. */
export async function readSnapshot(table: TableReader, companyId: CompanyId): Promise<Tree | undefined> {
  const snapshot = await table.get<SnapshotRecord>(snapshotKey(companyId))
  if (!snapshot) return undefined
  // Chunks never change while they are told of, so the cheaper read will do; but one that was written just now may not show it.
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
  // One string for all folders, as each has it.
  const pk = companyPartition(companyId)
  for (const record of records) {
    const stored = await storedFolders(record).catch(() => undefined)
    if (!stored) return undefined
    for (const folder of stored) folders.push(newFolder(folder.folderId, { companyId, pk, ...folder }))
  }
  return new Tree(companyId, version, folders)
}

/** @throws Error where a chunk is damaged */
async function storedFolders({ folders }: ChunkRecord): Promise<StoredFolder[]> {
  const text = await decompressed(Buffer.from(folders, 'base64'))
  return JSON.parse(text.toString())
}

/** What of a folder isn't as in a new one of the company. */
type StoredFolder = Pick<FolderRecord, 'folderId' | 'name' | 'parent' | 'created'> & Partial<FolderRecord>

function storedFolder({ pk: _pk, sk: _sk, companyId: _companyId, grants, tags, cover, ...folder }: FolderRecord): StoredFolder {
  return {
    ...folder,
    ...(Object.keys(grants).length > 0 && { grants }),
    ...(tags.length > 0 && { tags }),
    ...(cover !== null && { cover }),
  }
}

/** JSON arrays of the folders. Siblings, which have most in common, lie side by side. */
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
