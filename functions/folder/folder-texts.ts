import { setImmediate } from 'node:timers/promises'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import type { ChildFolder } from '../../shared/library/folders/child-folders.ts'
import type { FolderRecord, RightSet } from '../../shared/library/tree/folder.ts'
import type { Range } from '../../shared/library/tree/layout.ts'
import { RecentlyUsed } from '../../shared/recently-used.ts'
import { listedFolderJson } from './schema.ts'

/** Folders that follow each other in a list, as text. */
export interface FolderTexts {
  /** JSON of each, with a comma behind it. */
  text: Buffer
  /** The beginnings of each, and the end of the last one. */
  starts: Int32Array
}

/** Bits of a folder's hash that are zero where a part ends: a part has 512 folders on average, of which nobody waits for a millisecond. */
const PART_BITS = 9
/** Fibonacci hashing: ids that follow each other end no more parts than any others. */
const GOLDEN_RATIO = 0x9e3779b1

/**
 * Cuts a list into parts. Which folder ends a part depends on its id alone, so a change of one folder changes one or two parts, however many
 * there are.
 */
export function cut(folders: readonly FolderRecord[]): Range[] {
  const parts: Range[] = []
  let from = 0
  for (let at = 0; at < folders.length; at++) {
    if (Math.imul(folders[at]!.folderId, GOLDEN_RATIO) >>> (32 - PART_BITS) !== 0 && at < folders.length - 1) continue
    parts.push([from, at + 1])
    from = at + 1
  }
  return parts
}

export function folderTexts(folders: readonly VisibleFolder[]): FolderTexts {
  const starts = new Int32Array(folders.length + 1)
  let text = ''
  for (const [at, folder] of folders.entries()) {
    const json = `${JSON.stringify(listedFolderJson(folder))},`
    text += json
    starts[at + 1] = starts[at]! + Buffer.byteLength(json)
  }
  return { text: Buffer.from(text), starts }
}

/** The texts of folders as lists by `parent` show them: with what lies in each. */
export function childTexts({ text, starts }: FolderTexts, folders: readonly ChildFolder[]): Buffer {
  // One character a byte: pieces of text are joined faster than pieces of buffers.
  const bytes = text.toString('latin1')
  let joined = ''
  for (const [at, { hasChildren, files }] of folders.entries()) {
    const json = bytes.slice(starts[at]!, starts[at + 1]! - '},'.length)
    joined += `${json},"has_children":${hasChildren},"file_count":${files}},`
  }
  return Buffer.from(joined, 'latin1')
}

/** Bytes of texts that are kept. */
const KEPT_BYTES = 64 * 1024 * 1024
const kept = new RecentlyUsed<KeptTexts>(KEPT_BYTES, ({ text, starts, folders }) => text.length + starts.byteLength + 8 * folders.length)

interface KeptTexts extends FolderTexts {
  folders: readonly FolderRecord[]
}

/**
 * The texts of a part of a list as they are shown to those who have these rights on all of its folders: those that were made before, where no
 * folder has changed since. Records never change.
 * @param of.list tells this list of folders from others
 */
export async function keptTexts(
  all: readonly FolderRecord[],
  [from, to]: Range,
  { list, rights }: { list: string; rights: RightSet },
): Promise<FolderTexts> {
  const key = `${list} ${rights} ${all[to - 1]!.folderId}`
  const known = kept.get(key)
  if (known && known.folders.length === to - from && known.folders.every((folder, at) => folder === all[from + at])) return known
  const folders = all.slice(from, to)
  const made = { folders, ...folderTexts(folders.map((record) => ({ record, rights }))) }
  kept.set(key, made)
  // Other requests have their turn before the next part.
  await setImmediate()
  return made
}
