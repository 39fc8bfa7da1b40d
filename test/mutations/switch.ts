import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

/** Loaded before each test file: switches on the mutant that `MUTANT` names, and appends to the file `MUTANT_HITS` which ones a test file runs. */

declare global {
  var isMutated: (id: number) => boolean
}

const hits = new Set<number>()
const mutant = Number(process.env.MUTANT ?? -1)
globalThis.isMutated = (id) => {
  hits.add(id)
  return id === mutant
}

const hitsFile = process.env.MUTANT_HITS
if (hitsFile) {
  let began = 0
  beforeAll(() => {
    began = performance.now()
  })
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath!)
    appendFileSync(hitsFile, `${JSON.stringify({ file, milliseconds: Math.round(performance.now() - began), ids: [...hits] })}\n`)
  })
}
