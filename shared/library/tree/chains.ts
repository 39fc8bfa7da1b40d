import type { TableReader } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderClaim, type FolderRecord, folderClaimKey, folderKey } from './folder.ts'
import { type Chains, Tree } from './tree.ts'
import { TreeCache, wholeTree } from './tree-cache.ts'
import { advanced, readVersion } from './tree-log.ts'

/** Which folders are wanted with all above them: by their ids, and by the ids of what they contain. */
export interface Wanted {
  folderIds?: readonly FolderId[]
  contents?: readonly ContentsId[]
}

/** A part of a tree that has grown past this begins anew: each folder that is added copies it. */
const LARGEST_PART = 2_000
/** What is so many versions behind is of no use: reading a few folders takes less than reading that much of the log. */
const LONGEST_LOG = 50
/** In a company that changes faster than its folders are read, all are read. */
const MOST_ROUNDS = 10

/**
 * The wanted folders that are there, each with all above it, at this version or a newer one; the whole tree where that is in memory,
 * and not far behind.
 *
 * Folders are read one after the other, so what is read may be of several versions. The log up to the version that there is afterwards makes it
 * what was at that version: nobody is given a right that they had at no time.
 */
export async function chainsAt(table: TableReader, companyId: CompanyId, version: number, wanted: Wanted): Promise<Tree> {
  const cache = TreeCache.of(table)
  const whole = cache.whole(companyId)
  if (whole && version - whole.version <= LONGEST_LOG) return wholeTree(table, companyId, version)
  let part = await keptPart(table, companyId, version)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (knows(part, wanted)) return part
    const missing = await readMissing(table, part, wanted)
    if (missing === 'untold') break
    const read = part.with(part.version, missing)
    const { version: now } = await readVersion(table, companyId)
    part = (await advanced(table, read, now)) ?? emptyPart(companyId, now)
    cache.keep(part)
    // What it doesn't know now isn't there.
    if (part === read) return part
  }
  return wholeTree(table, companyId, part.version)
}

/** Whether these chains tell of all of the wanted folders that they are there, or aren't. */
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

/**
 * Reads the folders that a part lacks, level by level.
 * @returns `untold` where an earlier version claimed the id of contents: that claim doesn't tell whose they are
 */
async function readMissing(table: TableReader, part: Tree, { folderIds = [], contents = [] }: Wanted): Promise<FolderRecord[] | 'untold'> {
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
  const isUntold = (each: ContentsId) => {
    const folder = record(toFolderId(each))
    return !part.holderOf(each) && !hasOtherContents(folder, each) && !(folder && contentsOf(folder) === each)
  }
  const claims = await table.getMany<FolderClaim>(contents.filter(isUntold).map(folderClaimKey))
  const holders = claims.filter((claim) => claim.companyId === companyId).map((claim) => claim.contentsOf)
  if (holders.includes(undefined)) return 'untold'
  await climb(holders.flatMap((id) => id ?? []))
  return [...found.values()]
}

/** The first folder that isn't known on the way up from a folder, which may be that itself; none above one that is deleted. */
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
 * Whether a folder was purged, so that what has these contents, of which it had the id, is gone. (Of a deleted one that can't be said: it may
 * keep what another one contained, by an id that is of that one's contents now.)
 */
function hasOtherContents(folder: FolderRecord | undefined, contents: ContentsId): boolean {
  return folder !== undefined && folder.deleted === undefined && contentsOf(folder) !== contents
}
