import type { TestOptions } from 'vitest'
import { EngineUnavailable } from './aws/engine.ts'
import { skippedFor } from './skipping.ts'

/** A tool, or the options that skip its tests where this machine can't have it. */
export async function toolOrSkip<T>(name: string, obtain: () => Promise<T>): Promise<{ tool: T | undefined; skip: TestOptions }> {
  try {
    return { tool: await obtain(), skip: {} }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    return { tool: undefined, skip: skippedFor(`${name} is not available on this machine: ${error.message}`) }
  }
}
