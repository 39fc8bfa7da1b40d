import { it } from 'vitest'
import { compareWithOracle } from './oracle-property.ts'
import { inNewProcesses } from './snapshots/snapshots-in-memory.ts'
import { openEmbedded } from './workplace.ts'

it('an engine finds what a look at every document finds, whatever the changes, their order and the query', () => {
  return compareWithOracle(openEmbedded, 150)
})

it('so do new processes, whatever snapshot each begins with', () => compareWithOracle(inNewProcesses, 20))
