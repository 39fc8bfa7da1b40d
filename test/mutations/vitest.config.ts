import { readFileSync } from 'node:fs'
import tests from '../../vitest.config.ts'
import { instrument } from './instrument.ts'

const mutants = JSON.parse(readFileSync(process.env.MUTANTS!, 'utf8'))

/** The project's own tests, over code that holds mutants. */
export default {
  ...tests,
  plugins: [instrument(mutants)],
  test: { ...tests.test, setupFiles: ['test/mutations/switch.ts'], reporters: ['default'], retry: process.env.MUTANT_HITS ? 1 : 0 },
}
