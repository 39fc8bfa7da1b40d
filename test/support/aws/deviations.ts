/** Cases of a contract that an engine fails although AWS keeps them: title and what the engine does instead. */
export type Deviations = Readonly<Record<string, string>>

/**
 * The deviations of the engine that this process tests over (`TEST_ENGINE`; none on AWS itself), told loudly: their cases are skipped.
 *
 * @param byEngine deviations by the name of the engine
 */
export function deviationsHere(byEngine: Readonly<Record<string, Deviations>>): Deviations {
  const engine = process.env.TEST_ENGINE ?? ''
  const here = byEngine[engine] ?? {}
  for (const [title, deviation] of Object.entries(here)) {
    console.error(`!!! DEVIATION of ${engine}, not tested: "${title}": ${deviation}`)
  }
  return here
}
