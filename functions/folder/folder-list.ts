import { setImmediate } from 'node:timers/promises'
import { type JsonText, jsonText } from '../../shared/http/declaration/results.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import type { TreeRights } from '../../shared/library/access/tree-rights.ts'
import type { ChildFolder } from '../../shared/library/folders/child-folders.ts'
import type { FolderOrder } from '../../shared/library/folders/ordered-folders.ts'
import { NO_RIGHTS, type RightSet } from '../../shared/library/tree/folder.ts'
import type { Range } from '../../shared/library/tree/layout.ts'
import { childTexts, cut, type FolderTexts, folderTexts, keptTexts } from './folder-texts.ts'

/** Answers these folders, each as `ListedFolder` says. */
export function folderList(folders: readonly VisibleFolder[]): Promise<JsonText> {
  return listInParts(folders, (part) => folderTexts(part).text)
}

/**
 * Answers folders with what lies in each. What doesn't depend on that is put together of texts that are kept: 10,000 folders take a third of
 * the time.
 * @param list tells this list of folders from others
 */
export function childList(folders: readonly ChildFolder[], list: string): Promise<JsonText> {
  const records = folders.map(({ record }) => record)
  return listInParts(folders, async (part, range) => {
    const { rights } = part[0]!
    const areAlike = part.every((folder) => folder.rights === rights)
    return childTexts(areAlike ? await keptTexts(records, range, { list, rights }) : folderTexts(part), part)
  })
}

/** @param textOf makes the text of one part, with a comma behind each folder */
async function listInParts<Shown extends VisibleFolder>(
  folders: readonly Shown[],
  textOf: (part: readonly Shown[], range: Range) => Buffer | Promise<Buffer>,
): Promise<JsonText> {
  const parts: Buffer[] = []
  for (const range of cut(folders.map(({ record }) => record))) {
    const [from, to] = range
    // Other requests have their turn between the parts.
    if (from > 0) await setImmediate()
    parts.push(await textOf(folders.slice(from, to), range))
  }
  return listOf(parts)
}

/**
 * Answers all folders of a company on which the caller has any right. It is put together of texts that are kept: whoever has the same rights on
 * a folder is shown the same of it.
 */
export async function wholeFolderList(rights: TreeRights, { sortBy = 'name', order = 'asc' }: FolderOrder = {}): Promise<JsonText> {
  const parts: Buffer[] = []
  for (const range of cut(rights.tree.sortedBy(sortBy))) parts.push(await shownOf(rights, range, { sortBy, order }))
  return listOf(order === 'asc' ? parts : parts.reverse())
}

/** The caller's view of a part of all folders: the kept text itself, where they have the same rights on all of these. */
async function shownOf(rights: TreeRights, range: Range, { sortBy, order }: Required<FolderOrder>): Promise<Buffer> {
  const [from, to] = range
  const folders = rights.tree.sortedBy(sortBy)
  const list = `${rights.tree.companyId} ${sortBy}`
  const texts = new Map<RightSet, FolderTexts>()
  const own = new Uint8Array(to - from)
  for (let at = 0; at < own.length; at++) own[at] = rights.of(folders[from + at]!)
  for (const each of new Set(own)) if (each !== NO_RIGHTS) texts.set(each, await keptTexts(folders, range, { list, rights: each }))
  const [only] = texts.values()
  if (only && texts.size === 1 && order === 'asc' && !own.includes(NO_RIGHTS)) return only.text
  const parts: Buffer[] = []
  for (const [at, each] of own.entries()) {
    const found = texts.get(each)
    if (found) parts.push(found.text.subarray(found.starts[at]!, found.starts[at + 1]!))
  }
  return Buffer.concat(order === 'asc' ? parts : parts.reverse())
}

/** @param parts texts with a comma behind each folder */
function listOf(parts: readonly Buffer[]): JsonText {
  const filled = parts.filter(({ length }) => length > 0)
  const last = filled.pop()
  return jsonText([Buffer.from('['), ...filled, ...(last ? [last.subarray(0, -1)] : []), Buffer.from(']')])
}
