import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the project is `thorough`: the one of what takes long and seldom finds anything. */
    thorough?: boolean
  }
}

/**
 * How much a random test tries. The project `thorough` runs the same file again.
 * @param usually in its own project
 */
export function tries(usually: number, thoroughly: number): number {
  return inject('thorough') ? thoroughly : usually
}
