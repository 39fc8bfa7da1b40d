import type { Waker } from './port.ts'

/** Wakes the job runners in this process. */
export interface EmbeddedWaker extends Waker {
  /** Registers the runner of a kind of jobs. */
  onWake(kind: string, listener: () => void): void
}

export function embeddedWaker(): EmbeddedWaker {
  const listeners = new Map<string, () => void>()
  return {
    get kinds() {
      return [...listeners.keys()]
    },
    groupOf: (kind) => kind,
    async wake(kind) {
      listeners.get(kind)?.()
    },
    onWake(kind, listener) {
      listeners.set(kind, listener)
    },
  }
}
