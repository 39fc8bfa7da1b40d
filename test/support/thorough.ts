import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    thorough?: boolean
  }
}

/** Whether the project is `thorough`: the one of what takes long and seldom finds anything. */
export const isThorough = inject('thorough') === true
