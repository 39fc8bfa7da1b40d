import type { Key } from '../../backends/table/port.ts'
import { loadTree } from '../tree/tree-store.ts'
import { addressOf, idIn, keyAt } from './keys.ts'
import type { Library } from './library.ts'
import type { Problem } from './problem.ts'
import { ANY_FOLDER, linesOf, type Reference } from './records.ts'

/** Yields the problems of a record. @param address of its item */
export async function* checkRecord(library: Library, address: string): AsyncGenerator<Problem> {
  const item = await library.table.get(keyAt(address))
  if (!item) return
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
