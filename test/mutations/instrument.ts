import { relative } from 'node:path'
import type { Plugin } from 'vite'
import type { Mutant } from './mutants.ts'

/** Puts all mutants into the code that tests load, each beside the text that it replaces. `switch.ts` decides which of the two runs. */
export function instrument(mutants: readonly Mutant[]): Plugin {
  return {
    name: 'mutants',
    enforce: 'pre',
    transform(code, id) {
      const file = relative(process.cwd(), id)
      const here = mutants.filter((mutant) => mutant.file === file)
      if (here.length === 0) return
      return { code: here.toSorted((a, b) => b.start - a.start).reduce(withMutant, code), map: null }
    },
  }
}

function withMutant(code: string, { id, start, end, original, mutated, isStatement }: Mutant): string {
  if (code.slice(start, end) !== original) throw new Error(`The text of mutant ${id} is not where it was found`)
  const isOn = `globalThis.isMutated(${id})`
  // In a block of its own, so that an `else` that follows stays with its own `if`.
  const both = isStatement ? `{ if (!${isOn}) { ${original} } }` : `(${isOn} ? (${mutated}) : (${original}))`
  return code.slice(0, start) + both + code.slice(end)
}
