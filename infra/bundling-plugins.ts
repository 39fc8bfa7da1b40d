import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
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

const COMPANION = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * Modules that others start as thread or process by `new URL('./name.ts', import.meta.url)`, which esbuild doesn't follow: they
 * become bundles of their own, `name.mjs`, beside the function's.
 */
export class CompanionModules {
  readonly #started = new Map<string, string[]>()

  /** Finds them, and points at the bundles instead. */
  readonly plugin: Plugin = {
    name: 'companion-modules',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const names = [...source.matchAll(COMPANION)].map((match) => match[1])
        if (names.length === 0) return undefined
        this.#started.set(
          path,
          names.map((name) => join(dirname(path), `${name}.ts`)),
        )
        return { contents: source.replace(COMPANION, "new URL('./$1.mjs', import.meta.url)"), loader: 'ts' }
      })
    },
  }

  /** Absolute paths of the modules that the module at an absolute path starts. */
  startedBy(path: string): readonly string[] {
    return this.#started.get(path) ?? []
  }
}
