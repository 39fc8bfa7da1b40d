import { inject } from 'vitest'

/** Cases of a contract that an engine fails although AWS keeps them: title and what the engine does instead. */
export type Deviations = Readonly<Record<string, string>>

/**
 * The deviations of the engine that this process tests over: their cases are skipped.
 *
 * @param byEngine deviations by the engine
 */
export function deviationsHere(byEngine: Readonly<Record<string, Deviations>>): Deviations {
  return byEngine[inject('engine') ?? ''] ?? {}
}
