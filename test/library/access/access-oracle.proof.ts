import { test } from 'vitest'
import { everybodyMayDoWhatRulesSay } from './oracle/compare.ts'

test('whatever happens to folders, files, cliques and stock, everybody may do what the rules say, and nothing else', () =>
  everybodyMayDoWhatRulesSay({ numRuns: 40 }))
