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
 * Takes `http`, `https` and all builtins that CommonJS code requires through `process.getBuiltinModule`: an `import` of http loads
 * undici with it in Node 22 and later (27 to 35 ms of every cold start), and an ES module has no `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined
      const name = path.replace(/^node:/, '')
      const byFunction = kind === 'require-call' || name === 'http' || name === 'https'
      return byFunction ? { path: name, namespace: 'builtin' } : { path: `node:${name}`, external: true }
    })
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
      loader: 'js',
    }))
  },
}

/**
 * Lambda gives a function the credentials of its role in environment variables, so the rest of the SDK's chain (profiles, single
 * sign-on, instance metadata: 100 KB in every bundle) never comes into play.
 */
export const roleCredentials: Plugin = {
  name: 'role-credentials',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ resolveDir, path }) => ({
      path,
      namespace: 'role',
      pluginData: resolveDir,
    }))
    onLoad({ filter: /.*/, namespace: 'role' }, ({ pluginData }) => ({
      contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'`,
      loader: 'js',
      resolveDir: pluginData,
    }))
  },
}
