import type { Item, Key } from '../../backends/table/port.ts'
import { loadTree } from '../tree/tree-store.ts'
import { addressOf, idIn, keyAt } from './keys.ts'
import type { CheckNotes, Library } from './library.ts'
import type { Problem } from './problem.ts'
import { ANY_FOLDER, isChecked, linesOf, type Reference } from './records.ts'

/** As a fact: some record of a partition refers to a record. */
const referenceFact = (from: Key, to: Key): string => `${from.pk} refers to ${addressOf(to)}`

/** Notes what a record says, as the walk finds it. @returns what is wrong with the record by itself */
export function* noteRecord({ clock }: Library, item: Item, notes: CheckNotes): Generator<Problem> {
  if (!isChecked(item)) return
  const address = addressOf(item)
  notes.fact(address)
  for (const line of linesOf(item, clock.now())) {
    if ('problem' in line) yield line.problem
    else if ('fact' in line) notes.fact(line.fact)
    else {
      notes.fact(referenceFact(item, line.to))
      if (line.otherwise) notes.need('record', address, line.mutual ? referenceFact(line.to, item) : addressOf(line.to))
    }
  }
}

/** What is wrong with a record. @param address of its item */
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

async function holds(library: Library, item: Key, { to, or, mutual = false }: Reference): Promise<boolean> {
  const found = await read(library, to)
  if (mutual) return found.some((record) => refersTo(record, addressOf(item), library.clock.now()))
  return found.length > 0 || (or !== undefined && (await read(library, or)).length > 0)
}

async function read({ table }: Library, key: Key): Promise<Key[]> {
  if (key.sk === ANY_FOLDER) return (await loadTree({ table }, idIn(key.pk))).everyStored()
  const item = await table.get(key)
  return item ? [item] : []
}

function refersTo(record: Key, address: string, now: number): boolean {
  for (const line of linesOf(record, now)) if ('to' in line && addressOf(line.to) === address) return true
  return false
}
