import { setImmediate } from 'node:timers/promises'
import { type JsonText, jsonText } from '../../shared/http/json-text.ts'
import type { VisibleFolder } from '../../shared/library/access/access.ts'
import type { TreeRights } from '../../shared/library/access/tree-rights.ts'
import type { FolderOrder } from '../../shared/library/folders/ordered-folders.ts'
import { RecentlyUsed } from '../../shared/library/recently-used.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'
import type { FolderField } from '../../shared/library/tree/ordering.ts'
import { NO_RIGHTS, type RightSet } from '../../shared/library/tree/rights.ts'
import type { Tree } from '../../shared/library/tree/tree.ts'
import { JoinedText } from './joined-text.ts'
import { listedFolderJson } from './schema.ts'

/** Folders that become text before other requests have their turn. */
const FOLDERS_AT_ONCE = 2_000

/** Answers these folders, each as `ListedFolder` says. */
export async function folderList(folders: readonly VisibleFolder[]): Promise<JsonText> {
  const { text } = await texts(folders.length, (at) => folders[at]!)
  return listOf([text])
}

/**
 * Answers all folders of a company on which the caller has any right. It is put together of parts of texts that are kept: whoever has the same
 * rights on a folder is shown the same of it.
 */
export async function wholeFolderList(rights: TreeRights, { sortBy = 'name', order = 'asc' }: FolderOrder = {}): Promise<JsonText> {
  const { tree } = rights
  const numbers = tree.numbersBy(sortBy)
  const lists = new Map<RightSet, Texts>()
  for (const own of new Set(numbers.values().map((number) => rights.at(number)))) {
    if (own !== NO_RIGHTS) lists.set(own, await shownWith(own, tree, sortBy))
  }
  const parts: Buffer[] = []
  for (let from = 0; from < numbers.length; ) {
    const own = rights.at(numbers[from]!)
    let to = from + 1
    while (to < numbers.length && rights.at(numbers[to]!) === own) to++
    const list = lists.get(own)
    if (list) for (const part of partsOf(list, from, to, order)) parts.push(part)
    from = to
  }
  return listOf(order === 'asc' ? parts : parts.reverse())
}

/** Folders as text, in some order, each with a comma behind it. */
interface Texts {
  text: Buffer
  /** Where each begins, and where the last one ends. */
  starts: Int32Array
}

/** Bytes of texts that are kept. */
const KEPT_BYTES = 64 * 1024 * 1024
/** The last list of each company for each order and rights. */
const kept = new RecentlyUsed<ListTexts>(KEPT_BYTES, ({ text, starts }) => text.length + starts.byteLength)

interface ListTexts extends Texts {
  folders: readonly FolderRecord[]
}

/** All folders of a tree as they are shown to those who have these rights on them. */
async function shownWith(rights: RightSet, tree: Tree, sortBy: FolderField): Promise<Texts> {
  const folders = tree.sortedBy(sortBy)
  const key = `${tree.companyId} ${sortBy} ${rights}`
  const known = kept.get(key)
  if (known?.folders === folders) return known
  const earlier = known && { ...known, placeOf: unchanged(known, tree) }
  const made = { folders, ...(await texts(folders.length, (at) => ({ record: folders[at]!, rights }), earlier)) }
  kept.set(key, made)
  return made
}

/**
 * Finds records again in an earlier list, which are asked for in the order of the new one: nearly all stand there one after the other. Records
 * never change.
 * @returns the place of a record in that list; undefined where it isn't found
 */
function unchanged({ folders }: ListTexts, tree: Tree): (record: FolderRecord) => number | undefined {
  let next = 0
  return (record) => {
    while (next < folders.length && tree.record(folders[next]!.folderId) !== folders[next]) next++
    return folders[next] === record ? next++ : undefined
  }
}

/** Texts that are there already, and where a record's is among them. */
interface Earlier extends Texts {
  placeOf(record: FolderRecord): number | undefined
}

async function texts(count: number, folderAt: (at: number) => VisibleFolder, earlier?: Earlier): Promise<Texts> {
  const starts = new Int32Array(count + 1)
  const joined = new JoinedText(earlier?.text)
  for (let at = 0; at < count; at++) {
    if (at % FOLDERS_AT_ONCE === FOLDERS_AT_ONCE - 1) await setImmediate()
    const folder = folderAt(at)
    const place = earlier?.placeOf(folder.record)
    if (earlier && place !== undefined) joined.repeat(earlier.starts[place]!, earlier.starts[place + 1]!)
    else joined.add(`${JSON.stringify(listedFolderJson(folder))},`)
    starts[at + 1] = joined.bytes
  }
  return { text: joined.toBuffer(), starts }
}

/** The texts of the folders from one up to, but without, another: in one piece, or each by itself where they will be turned round. */
function* partsOf({ text, starts }: Texts, from: number, to: number, order: 'asc' | 'desc'): Generator<Buffer> {
  const step = order === 'asc' ? to - from : 1
  for (let at = from; at < to; at += step) yield text.subarray(starts[at]!, starts[at + step]!)
}

/** @param parts texts with a comma behind each */
function listOf(parts: readonly Buffer[]): JsonText {
  const list = Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')])
  if (list.length === 2) return jsonText(list)
  list[list.length - 2] = list[list.length - 1]!
  return jsonText(list.subarray(0, -1))
}
