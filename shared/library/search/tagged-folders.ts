import type { ParsedTerm } from '../../vocabulary/parse-query.ts'
import { type Range, united } from '../tree/layout.ts'
import type { Tree } from '../tree/tree.ts'
import { FoldedTags } from './folded-tags.ts'

/** The folders of a tree by their tags. Made once per tree. */
export class TaggedFolders {
  readonly #tree: Tree
  readonly #tags: FoldedTags
  /** Numbers of the folders that have a tag of their own, by the tag's position. */
  readonly #folders: readonly (readonly number[])[]

  constructor(tree: Tree) {
    const byTag = new Map<string, number[]>()
    tree.layout.folders.forEach(({ tags }, number) => {
      for (const tag of tags) {
        const folders = byTag.get(tag)
        if (folders) folders.push(number)
        else byTag.set(tag, [number])
      }
    })
    this.#tree = tree
    this.#tags = new FoldedTags([...byTag.keys()])
    this.#folders = [...byTag.values()]
  }

  /** Positions of the tags that a term matches. */
  matching(term: ParsedTerm): readonly number[] {
    return this.#tags.matching(term)
  }

  /** The folders with one of these tags, own or inherited. */
  foldersWith(tags: readonly number[]): Range[] {
    const { layout } = this.#tree
    return united(tags.flatMap((tag) => this.#folders[tag]!.map((number) => layout.subtree(number))))
  }
}
