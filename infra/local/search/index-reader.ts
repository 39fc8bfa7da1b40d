import { fileURLToPath } from 'node:url'
import type { SearchQuery, SuggestQuery } from '../../../shared/backends/search/port.ts'
import { ModuleProcess } from '../../../shared/tools/processes/module-process.ts'
import type { AnyEdition, ReaderAnswer, ReaderOrder } from './messages.ts'
import { listsOf, numberOf, toSent, toSentSuggest } from './sent-query.ts'

const program = new URL('./reader-process.ts', import.meta.url)
/** Makes it start sooner, by the cache of compiled code. */
const preload = fileURLToPath(new URL('../../start-up.cjs', import.meta.url))

/** A process that answers queries (reader-process.ts). */
export class IndexReader extends ModuleProcess<ReaderOrder, ReaderAnswer> {
  /** Lists of folders that it was sent. It keeps those that it used lately. */
  readonly #sent = new WeakSet<readonly number[]>()

  constructor() {
    super({ module: program, env: {}, execArgv: ['--require', preload] })
  }

  /** How many files some folders hold. @param milliseconds after which the process is killed. @throws ProcessEnded */
  count(edition: AnyEdition, folders: readonly number[], milliseconds: number): Promise<ReaderAnswer> {
    return this.ask({ ...edition, count: folders }, milliseconds)
  }

  /** @param milliseconds after which the process is killed. @throws ProcessEnded */
  async answer(edition: AnyEdition, query: SearchQuery | SuggestQuery, milliseconds: number): Promise<ReaderAnswer> {
    const lists = listsOf(query)
    const order = 'terms' in query ? { query: toSent(query) } : { suggest: toSentSuggest(query) }
    const ask = (sent: readonly (readonly number[])[]) => {
      for (const list of sent) this.#sent.add(list)
      return this.ask({ ...edition, ...order, lists: sent.map((list) => [numberOf(list), list]) }, milliseconds)
    }
    const answer = await ask(lists.filter((list) => !this.#sent.has(list)))
    return 'failed' in answer && answer.failed === 'unknown list' ? ask(lists) : answer
  }
}
