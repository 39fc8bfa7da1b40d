import { test } from 'vitest'
import { everybodyMayDoWhatRulesSay } from './oracle/compare.ts'

test('in one life of a library, the same each time, everybody may do what the rules say after each step', () =>
  everybodyMayDoWhatRulesSay({ numRuns: 1, seed: 7 }))
