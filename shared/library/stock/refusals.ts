import { Invalid } from '../errors.ts'
import type { Reading } from '../library.ts'
import { itemChange, metadataOfNew } from '../media/edit.ts'
import { batched } from './batches.ts'
import { type Entry, findKnown, isOtherFile, type KnownItem, otherFileProblem } from './items.ts'

/** A problem with an entry of a manifest. */
export interface Refusal {
  entry: Entry
  /** Completes a sentence that begins with the entry's name. */
  problem: string
}

/**
 * Finds valid entries that conflict with existing items: a file other than the imported one, or metadata that grows too large. Reads the
 * files of entries for existing items.
 * @param report receives the number of finished entries after each step
 */
export async function* refusals(
  library: Reading,
  entries: Iterable<Entry>,
  report: (done: number) => void = () => undefined,
): AsyncGenerator<Refusal> {
  let done = 0
  for (const batch of batched(entries)) {
    const known = await findKnown(library, batch)
    for (const entry of batch) {
      const item = known.get(entry.id)
      if (await isOtherFile(entry, item)) yield { entry, problem: otherFileProblem(entry.id) }
      const problem = sizeProblem(entry, item)
      if (problem !== undefined) yield { entry, problem }
    }
    done += batch.length
    report(done)
  }
}

function sizeProblem({ metadata }: Entry, known: KnownItem | undefined): string | undefined {
  try {
    if (known) itemChange(known.media, metadata)
    else metadataOfNew(metadata)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
