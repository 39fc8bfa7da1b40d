import type { FolderRecord } from './folder.ts'

/** Folders in one block are copied when one of them changes: about as many as there are blocks of 100,000 folders. */
const BLOCK_BITS = 8
const BLOCK = 1 << BLOCK_BITS

/**
 * Folders by number, from 0 on. Never changed: `with` makes another list, which has all blocks of this one in which nothing changes. So a change
 * of one among 100,000 folders copies some hundreds.
 */
export class NumberedFolders {
  readonly length: number
  readonly #blocks: readonly (readonly FolderRecord[])[]
  /** The same object in all lists that differ in their records only. */
  readonly #places: object

  private constructor(blocks: readonly (readonly FolderRecord[])[], { length, places }: { length: number; places: object }) {
    this.#blocks = blocks
    this.length = length
    this.#places = places
  }

  static of(folders: readonly FolderRecord[]): NumberedFolders {
    return new NumberedFolders(blocksOf(folders), { length: folders.length, places: {} })
  }

  /** The folder of a number that there is. */
  at(number: number): FolderRecord {
    return this.#blocks[number >> BLOCK_BITS]![number & (BLOCK - 1)]!
  }

  *[Symbol.iterator](): Generator<FolderRecord> {
    for (const block of this.#blocks) yield* block
  }

  forEach(visit: (folder: FolderRecord, number: number) => void): void {
    for (let number = 0; number < this.length; number++) visit(this.at(number), number)
  }

  /** The same with newer records of the folders that have these numbers. */
  with(changed: Iterable<readonly [number: number, folder: FolderRecord]>): NumberedFolders {
    const blocks = [...this.#blocks]
    for (const [number, folder] of changed) {
      const block = number >> BLOCK_BITS
      blocks[block] = blocks[block]!.with(number & (BLOCK - 1), folder)
    }
    return new NumberedFolders(blocks, { length: this.length, places: this.#places })
  }

  /** The same with another folder, which pushes back all from its number on. */
  withInserted(number: number, folder: FolderRecord): NumberedFolders {
    const full = number >> BLOCK_BITS
    const rest = this.#blocks.slice(full).flat()
    rest.splice(number & (BLOCK - 1), 0, folder)
    return new NumberedFolders([...this.#blocks.slice(0, full), ...blocksOf(rest)], { length: this.length + 1, places: {} })
  }

  /** The numbers whose folders have another record than in an earlier list; undefined where folders may have other numbers than there. */
  changedSince(before: NumberedFolders): number[] | undefined {
    if (this.#places !== before.#places) return undefined
    return this.#blocks.flatMap((block, n) => {
      const earlier = before.#blocks[n]!
      if (block === earlier) return []
      return block.flatMap((folder, at) => (folder === earlier[at] ? [] : n * BLOCK + at))
    })
  }
}

function blocksOf(folders: readonly FolderRecord[]): (readonly FolderRecord[])[] {
  return Array.from({ length: Math.ceil(folders.length / BLOCK) }, (_, n) => folders.slice(n * BLOCK, (n + 1) * BLOCK))
}
