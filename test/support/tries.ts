import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether proofs are to be thorough. */
    thorough?: boolean
  }
}

/**
 * How much a random proof tries. The project `proofs` runs the same file again, more thoroughly.
 * @param usually with all other tests
 */
export function tries(usually: number, thoroughly: number): number {
  return inject('thorough') ? thoroughly : usually
}
