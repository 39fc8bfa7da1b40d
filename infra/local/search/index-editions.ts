import type { IndexEdition } from '../../../shared/backends/search/embedded.ts'
import type { IndexWriter } from './index-writer.ts'

interface Known {
  version: number
  edition: Promise<IndexEdition>
}

/** Which index files are up to date. The writer is asked only where something was committed since it last was. */
export class IndexEditions {
  readonly #writer: IndexWriter
  readonly #version: () => number
  readonly #known = new Map<number, Known>()

  /** @param version grows with every commit to the table */
  constructor(writer: IndexWriter, version: () => number) {
    this.#writer = writer
    this.#version = version
  }

  /** The company's index, with everything that was committed before the call. */
  current(companyId: number): Promise<IndexEdition> {
    const version = this.#version()
    const known = this.#known.get(companyId)
    return known?.version === version ? known.edition : this.#ask(companyId, version)
  }

  /** The same instead of one that can't be used. */
  insteadOf(companyId: number, { edition }: IndexEdition): Promise<IndexEdition> {
    return this.#ask(companyId, this.#version(), edition)
  }

  #ask(companyId: number, version: number, damaged?: string): Promise<IndexEdition> {
    const known = { version, edition: this.#writer.upToDate(companyId, damaged) }
    this.#known.set(companyId, known)
    known.edition.catch(() => {
      if (this.#known.get(companyId) === known) this.#known.delete(companyId)
    })
    return known.edition
  }
}
