import { Invalid } from '../errors.ts'
import type { Reading } from '../library.ts'
import { metadataChange, metadataOfNew } from '../media/item-metadata.ts'
import { batched } from './batches.ts'
import { type Entry, findItems, findKnown, isImported, isOtherFile, type KnownItem, otherFileProblem } from './items.ts'

/** What is wrong with an entry of a manifest. */
export interface Refusal {
  entry: Entry
  /** In words that follow the entry's name. */
  problem: string
}

/**
 * What can't be taken of entries that are right by themselves, for what the library has: files that are not those that were imported, and
 * metadata that grows too large. Reads the files of the items that were imported before.
 * @param report is told after each step how many entries are done
 */
export async function* refusals(
  library: Reading,
  entries: Iterable<Entry>,
  report: (done: number) => void = () => undefined,
): AsyncGenerator<Refusal> {
  let done = 0
  for (const batch of batched(entries)) {
    const items = await findItems(library, batch)
    const changed = batch.filter((entry) => !isImported(entry, items.get(entry.id)))
    const known = await findKnown(
      library,
      changed.flatMap(({ id }) => items.get(id) ?? []),
    )
    for (const entry of batch) if (await isOtherFile(entry, items.get(entry.id))) yield { entry, problem: otherFileProblem(entry.id) }
    for (const entry of changed) {
      const problem = sizeProblem(entry, known.get(entry.id))
      if (problem !== undefined) yield { entry, problem }
    }
    done += batch.length
    report(done)
  }
}

function sizeProblem({ metadata }: Entry, known: KnownItem | undefined): string | undefined {
  try {
    if (known) metadataChange(known.media, metadata)
    else metadataOfNew(metadata)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
