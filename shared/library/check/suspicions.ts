import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, type Problem, problem } from './problem.ts'

/** Reads a few records as they are now and says what is wrong with them. */
export type Look = () => Promise<Problem[]>

/** A look that reports what it can't make sense of instead of failing. @param object address of the item that it begins with */
export function readable(object: string, look: Look): Look {
  return async () => {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return [problem('unreadable_item', { object }, ` (${error.message})`)]
    }
  }
}

/** Looks at the same time. */
const PARALLEL = 16
/** So many looks wait at most until they are repeated. */
const MOST_WAITING = 2_000
/** A library with more problems than these has one that is none of them. */
const MOST_PROBLEMS = 10_000

/**
 * What seems to be wrong and is looked at again before it is reported: the library is in use meanwhile. Records that one transaction changes
 * are read one after the other, and jobs take away what has lost its use; neither lasts.
 */
export class Suspicions {
  readonly #pauses: readonly number[]
  #waiting: Look[] = []
  readonly #confirmed = new Map<string, Problem>()

  /** @param pauses milliseconds between repeated looks; only what each of them finds is a problem */
  constructor(pauses: readonly number[]) {
    this.#pauses = pauses
  }

  /** Whether so much is wrong that looking on is of no use. */
  get tooMany(): boolean {
    return this.#confirmed.size >= MOST_PROBLEMS
  }

  /** Looks, and keeps in mind the looks that found something. */
  async look(looks: readonly Look[]): Promise<void> {
    await inParallel(looks, async (look) => {
      if ((await look()).length > 0) this.#waiting.push(look)
    })
    if (this.#waiting.length >= MOST_WAITING) await this.#confirm()
  }

  /** Everything that was found each time. */
  async problems(): Promise<Problem[]> {
    await this.#confirm()
    const problems = [...this.#confirmed.values()]
    return this.tooMany ? [...problems.slice(0, MOST_PROBLEMS), problem('too_many_problems', {})] : problems
  }

  async #confirm(): Promise<void> {
    let suspected = await findings(this.#waiting)
    this.#waiting = []
    for (const pause of this.#pauses) {
      if (suspected.length === 0) return
      await sleep(pause)
      const again = await findings(suspected.map(({ look }) => look))
      suspected = suspected.flatMap(({ look, found }, n) => {
        const still = new Set(again[n]!.found.map(identityOf))
        const both = found.filter((each) => still.has(identityOf(each)))
        return both.length > 0 ? [{ look, found: both }] : []
      })
    }
    for (const found of suspected.flatMap((each) => each.found)) this.#confirmed.set(identityOf(found), found)
  }
}

async function findings(looks: readonly Look[]): Promise<{ look: Look; found: Problem[] }[]> {
  const found = looks.map((look) => ({ look, found: [] as Problem[] }))
  await inParallel(found, async (entry) => {
    entry.found = await entry.look()
  })
  return found
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const lane = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, all.length) }, lane))
}
