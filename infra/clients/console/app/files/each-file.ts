/** Requests at a time. */
const PARALLEL = 4

export interface Outcome {
  done: Set<number>
  /** Why, by id. */
  failed: Map<number, unknown>
}

/** Does something with each file. One that fails doesn't keep the others from it. */
export async function eachFile(ids: readonly number[], act: (id: number) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { done: new Set(), failed: new Map() }
  const queue = [...ids].reverse()
  const work = async () => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      try {
        await act(id)
        outcome.done.add(id)
      } catch (error) {
        outcome.failed.set(id, error)
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return outcome
}
