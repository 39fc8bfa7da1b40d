import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { IndexEdition } from '../../../shared/backends/search/embedded.ts'
import { IndexBehind, IndexTooLarge } from '../../../shared/backends/search/port.ts'
import { TableUnavailable } from '../../../shared/backends/table/port.ts'
import { ModuleProcess, ProcessEnded } from '../../../shared/tools/processes/module-process.ts'
import type { SentError, WriterAnswer, WriterOrder, WriterSetup } from './messages.ts'

/** Keeps index files up to date. */
export interface IndexWriter {
  /**
   * @param damaged the edition that a reader couldn't use: it is built again, unless another has replaced it meanwhile
   * @returns where the company's index is, with everything that was committed before the call
   * @throws IndexBehind, IndexTooLarge, TableUnavailable
   */
  upToDate(companyId: number, damaged?: string): Promise<IndexEdition>
}

const program = new URL('./writer-process.ts', import.meta.url)
/** Makes it start sooner, by the cache of compiled code. */
const preload = fileURLToPath(new URL('../../start-up.cjs', import.meta.url))

/** How often a writer is asked that ends before it answers. */
const ATTEMPTS = 2
/** Milliseconds without an order after which the process ends. */
const IDLE = 300_000
/** Milliseconds that it has to close its files. A file that it didn't close is not damaged. */
const CLOSING = 5_000

/** The writer in a process of its own (writer-process.ts), started when it is needed, and again when it has ended. */
export class IndexWriterProcess implements IndexWriter {
  readonly #setup: WriterSetup
  readonly #clock: Clock
  #process: ModuleProcess<WriterOrder, WriterAnswer> | undefined
  #lastId = 0
  #asking = 0
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(setup: WriterSetup, clock: Clock) {
    this.#setup = setup
    this.#clock = clock
  }

  async upToDate(companyId: number, damaged?: string): Promise<IndexEdition> {
    const answer = await this.#askOrAskAgain({ companyId, damaged })
    if ('error' in answer) throw errorFrom(answer.error)
    return { path: answer.path, edition: answer.edition }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    const process = this.#process
    if (!process) return
    process.dismiss()
    const inTime = new AbortController()
    const late = pause(CLOSING, undefined, { signal: inTime.signal }).then(
      () => process.kill(),
      () => undefined,
    )
    await process.ended
    inTime.abort()
    await late
  }

  async #askOrAskAgain(order: Pick<WriterOrder, 'companyId' | 'damaged'>): Promise<WriterAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(order)
      } catch (error) {
        if (!(error instanceof ProcessEnded) || this.#closed) throw error
        if (attempt < ATTEMPTS) continue
        // It was killed, as the system does where memory runs out: what it has done is kept. One that ends by itself does so again.
        throw error.signal === null ? error : new IndexBehind('the writer of the indexes was killed', { cause: error })
      }
    }
  }

  async #ask(order: Pick<WriterOrder, 'companyId' | 'damaged'>): Promise<WriterAnswer> {
    if (this.#closed) throw new Error('the search engine is closed')
    if (!this.#process?.isAlive) this.#process = this.#start()
    clearTimeout(this.#idle)
    this.#asking++
    try {
      return await this.#process.ask({ ...order, id: ++this.#lastId, now: this.#clock.now() })
    } finally {
      if (--this.#asking === 0) this.#idle = setTimeout(() => this.#process?.dismiss(), IDLE).unref()
    }
  }

  #start(): ModuleProcess<WriterOrder, WriterAnswer> {
    return new ModuleProcess({ module: program, args: [JSON.stringify(this.#setup)], env: {}, execArgv: ['--require', preload] })
  }
}

/** The writer's errors of which callers know what to do. */
const known = { IndexTooLarge, TableUnavailable }

function errorFrom({ name, message, stack }: SentError): Error {
  const type = Object.entries(known).find(([each]) => each === name)?.[1] ?? Error
  return Object.assign(new type(message), { name, ...(stack && { stack }) })
}
