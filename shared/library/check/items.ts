import type { Item, Key } from '../../backends/table/port.ts'
import { loadTree } from '../tree/tree-store.ts'
import { checkDownload } from './downloads.ts'
import { checkSnapshots } from './index-snapshots.ts'
import { addressOf, idIn, keyAt, kindOf } from './keys.ts'
import type { Library } from './library.ts'
import { checkLink } from './links.ts'
import { checkPresets } from './presets.ts'
import type { Problem } from './problem.ts'
import { ANY_FOLDER, linesOf, type Reference, refersToOthers } from './records.ts'
import { checkStockItem } from './stock.ts'
import { checkVideo } from './videos.ts'
import { checkZip } from './zips.ts'

/** Rules beyond references, by kind of record. */
const rules: Readonly<Record<string, (library: Library, record: never) => AsyncIterable<Problem>>> = {
  'MEDIA VIDEO': checkVideo,
  'PREPARED DOWNLOAD': checkDownload,
  'COMPANY PRESETS': checkPresets,
  'ZIP ZIP': checkZip,
  'SEARCH SNAPSHOTS': checkSnapshots,
  'LINK LINK': checkLink,
  'STOCK ITEM': checkStockItem,
}

/** Whether there is a rule for items of this kind. */
export const isChecked = (item: Key): boolean => kindOf(item) in rules || refersToOthers(item)

/** Yields the problems of an item. @param found the item from the walk; absent: it is read here */
export async function* checkItem(library: Library, address: string, found?: Item): AsyncGenerator<Problem> {
  const item = found ?? (await library.table.get(keyAt(address)))
  if (!item) return
  const rule = rules[kindOf(item)]
  if (rule) yield* rule(library, item as never)
  if (refersToOthers(item)) yield* checkReferences(library, item)
}

async function* checkReferences(library: Library, item: Key): AsyncGenerator<Problem> {
  for (const line of linesOf(item, library.clock.now())) {
    if ('problem' in line) yield line.problem
    if (!('to' in line) || !line.otherwise || (await holds(library, item, line))) continue
    yield line.otherwise
    if (line.essential) return
  }
}

async function holds({ table, clock }: Library, item: Key, { to, or, mutual = false }: Reference): Promise<boolean> {
  if (to.sk === ANY_FOLDER) return (await loadTree({ table }, idIn(to.pk))).uses(idIn(item.pk))
  const found = await table.get(to)
  if (mutual) return found !== undefined && refersTo(found, addressOf(item), clock.now())
  return found !== undefined || (or !== undefined && (await table.getMany(or)).length > 0)
}

function refersTo(record: Key, address: string, now: number): boolean {
  for (const line of linesOf(record, now)) if ('to' in line && addressOf(line.to) === address) return true
  return false
}
