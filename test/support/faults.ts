import { Readable } from 'node:stream'

/** Calls of a run to its ports as they come. At one of them the process ends, before the call or after it: no later call is made. */
export class Faults {
  #calls = 0
  readonly #failing: number
  readonly #when: 'before' | 'after'

  constructor(failing: number, when: 'before' | 'after') {
    this.#failing = failing
    this.#when = when
  }

  get hasFailed(): boolean {
    return this.#calls >= this.#failing
  }

  /** A port whose calls count. Iterators that it returns are read as they come. */
  in<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (name === 'storedParts') return value.bind(target)
        return async (...input: unknown[]) => {
          const call = ++this.#calls
          if (call > this.#failing || (call === this.#failing && this.#when === 'before')) throw new ProcessEnded(`before ${String(name)}`)
          const result: unknown = await value.apply(target, input)
          if (call !== this.#failing) return result
          if (name === 'get') await closed(result)
          throw new ProcessEnded(`after ${String(name)}`)
        }
      },
    })
  }
}

/** What a test throws in place of the end of a process. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
}

/** Waits for a run that may have ended early. @throws every other error */
export async function unlessEnded(run: Promise<unknown>): Promise<void> {
  await run.catch((error: unknown) => {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (!errors.every((each) => each instanceof ProcessEnded)) throw error
  })
}

/** What nobody reads any more is closed, as at the end of a process. */
async function closed(result: unknown): Promise<void> {
  if (result !== null && typeof result === 'object' && 'stream' in result && result.stream instanceof Readable) result.stream.destroy()
}
