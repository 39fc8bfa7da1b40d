import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'
import type { Entry } from './entries.ts'

/** Serves the generated entry modules, `function:<name>`, which exist in no file. */
export function entryModules(entries: readonly Entry[], resolveDir: string): Plugin {
  const namespace = 'function'
  const sources = new Map(entries.map(({ name, source }) => [name, source]))
  return {
    name: 'entry-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^function:/ }, ({ path }) => ({ path: path.slice('function:'.length), namespace }))
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: sources.get(path) ?? '', loader: 'js', resolveDir }))
    },
  }
}

/**
 * Loads Node's own modules by `process.getBuiltinModule`. An `import` would read all their exports, and so load what Node loads lazily:
 * undici with http, 27 to 35 ms of every cold start. CommonJS packages need it anyway, because an ES module has no `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path }) => {
      if (!isBuiltin(path)) return undefined
      // A module of which nothing is used isn't loaded.
      return { path: path.replace(/^node:/, ''), namespace: 'builtin', sideEffects: false }
    })
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      // An import of an object copies its properties, and so loads what Node loads lazily. Inherited properties aren't copied.
      contents: `
        const builtin = process.getBuiltinModule('node:${path}')
        module.exports = typeof builtin === 'function' || builtin === process ? builtin : Object.create(builtin)`,
      loader: 'js',
    }))
  },
}
