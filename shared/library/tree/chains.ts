import type { TableReader } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderClaim, type FolderRecord, folderClaimKey, folderKey } from './folder.ts'
import { type Chains, Tree } from './tree.ts'
import { advanced, readVersion, TreeCache, wholeTree } from './tree-log.ts'

/** Wanted folders, by id and by contents id. Their ancestors are wanted too. */
export interface Wanted {
  folderIds?: readonly FolderId[]
  contents?: readonly ContentsId[]
}

/** Most folders in a cached part of a tree. Each addition copies the part, so a larger one is dropped. */
const LARGEST_PART = 2_000
/** Most versions to catch up by the log. Past this, reading a few folders is cheaper. */
const LONGEST_LOG = 50
/** Attempts to read single folders, which fail while these change faster than they are read. Then the whole tree is read. */
const MOST_ROUNDS = 10

/**
 * The wanted folders with their ancestors, at this version or a newer one. The whole tree if it is in memory and recent.
 *
 * Folders are read one by one, so they may be of several versions. The log brings them to the version after the last read, so that no
 * mixture of versions grants a right that never existed.
 */
export async function chainsAt(table: TableReader, companyId: CompanyId, version: number, wanted: Wanted): Promise<Tree> {
  const cache = TreeCache.of(table)
  const whole = cache.whole(companyId)
  if (whole && version - whole.version <= LONGEST_LOG) return wholeTree(table, companyId, version)
  let part = await keptPart(table, companyId, version)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (knows(part, wanted)) return part
    const missing = await readMissing(table, part, wanted)
    const read = part.with(part.version, missing)
    const { version: now } = await readVersion(table, companyId)
    part = (await advanced(table, read, now)) ?? emptyPart(companyId, now)
    cache.keep(part)
    // Wanted folders that are still missing don't exist.
    if (part === read) return part
  }
  return wholeTree(table, companyId, part.version)
}

/** Whether these chains answer for all wanted folders, existing or not. */
export function knows(chains: Chains, { folderIds = [], contents = [] }: Wanted): boolean {
  const record = (id: FolderId) => chains.record(id)
  const isKnown = (id: FolderId) => gapAbove(record, id) === undefined
  return (
    folderIds.every(isKnown) &&
    contents.every((each) => {
      const holder = chains.holderOf(each)
      return holder ? isKnown(holder.folderId) : hasOtherContents(record(toFolderId(each)), each)
    })
  )
}

async function keptPart(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const part = TreeCache.of(table).part(companyId)
  const isFit = part && part.size <= LARGEST_PART && version - part.version <= LONGEST_LOG
  if (isFit && part.version >= version) return part
  return (isFit && (await advanced(table, part, version))) || emptyPart(companyId, version)
}

const emptyPart = (companyId: CompanyId, version: number): Tree => new Tree(companyId, version, [], { isPart: true })

/** Reads missing folders, level by level. */
async function readMissing(table: TableReader, part: Tree, { folderIds = [], contents = [] }: Wanted): Promise<FolderRecord[]> {
  const { companyId } = part
  const found = new Map<FolderId, FolderRecord>()
  const asked = new Set<FolderId>()
  const record = (id: FolderId) => found.get(id) ?? part.record(id)
  const climb = async (from: readonly FolderId[]) => {
    for (;;) {
      const gaps = new Set(from.flatMap((id) => gapAbove(record, id) ?? [])).difference(asked)
      if (gaps.size === 0) return
      for (const id of gaps) asked.add(id)
      const folders = await table.getMany<FolderRecord>([...gaps].map((id) => folderKey(companyId, id)))
      for (const { by: _, ...folder } of folders) found.set(folder.folderId, folder)
    }
  }
  await climb([...folderIds, ...contents.map(toFolderId)])
  const isUnknown = (each: ContentsId) => {
    const folder = record(toFolderId(each))
    return !part.holderOf(each) && !hasOtherContents(folder, each) && !(folder && contentsOf(folder) === each)
  }
  const claims = await table.getMany<FolderClaim>(contents.filter(isUnknown).map(folderClaimKey))
  // Contents with the claim of a folder's own id were exchanged when that was purged: they are deleted.
  await climb(claims.filter((claim) => claim.companyId === companyId).flatMap((claim) => claim.contentsOf ?? []))
  return [...found.values()]
}

/** The first unknown folder on the path from a folder to its root; none above a deleted folder. */
function gapAbove(record: (id: FolderId) => FolderRecord | undefined, from: FolderId): FolderId | undefined {
  const passed = new Set<FolderId>()
  for (let id: FolderId | null = from; id !== null && !passed.has(id); ) {
    const folder: FolderRecord | undefined = record(id)
    if (!folder) return id
    if (folder.deleted !== undefined) return undefined
    passed.add(id)
    id = folder.parent
  }
  return undefined
}

/**
 * Whether a purge gave the folder other contents, so that these are deleted. False for deleted records: they may hold the former contents
 * of another folder.
 */
function hasOtherContents(folder: FolderRecord | undefined, contents: ContentsId): boolean {
  return folder !== undefined && folder.deleted === undefined && contentsOf(folder) !== contents
}
