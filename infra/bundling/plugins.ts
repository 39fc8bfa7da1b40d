import { readFile } from 'node:fs/promises'
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
 * undici with http (27 to 35 ms of every cold start), worker threads and web streams with util and others (13 ms). CommonJS packages need it
 * anyway, because an ES module has no `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path }) => {
      if (!isBuiltin(path)) return undefined
      // What nothing of a module is used of, isn't loaded.
      return { path: path.replace(/^node:/, ''), namespace: 'builtin', sideEffects: false }
    })
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      // Who imports an object copies its properties, and so loads what Node loads lazily. What an object inherits isn't copied.
      contents: `
        const builtin = process.getBuiltinModule('node:${path}')
        module.exports = typeof builtin === 'function' || builtin === process ? builtin : Object.create(builtin)`,
      loader: 'js',
    }))
  },
}

/**
 * Lambda gives a function its role's credentials in environment variables. This leaves out the rest of the SDK's chain (profiles, single
 * sign-on, instance metadata), 100 KB in every bundle.
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

/**
 * Leaves out what the SDK loads for operations that answer with a stream of events: none of ours does. esbuild bundles a module that is imported
 * on demand whole, and all that it imports: 20 KB of every bundle, and a third of the time that it takes to load.
 */
export const noEventStreams: Plugin = {
  name: 'no-event-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({ path, namespace: 'event-streams' }))
    onLoad({ filter: /.*/, namespace: 'event-streams' }, () => ({
      contents: `
        export const eventStreamSerdeProvider = () => undefined
        export const resolveEventStreamSerdeConfig = (config) => config`,
      loader: 'js',
    }))
  },
}

/**
 * A function has its configuration in its code and environment. For each option the SDK would look for files of profiles, too, before its first
 * request.
 */
export const noConfigFiles: Plugin = {
  name: 'no-config-files',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/config\/node-config-provider\/configLoader\.js$/ }, () => ({
      contents: `
        import { chain } from '../property-provider/chain'
        import { memoize } from '../property-provider/memoize'
        import { fromEnv } from './fromEnv'
        import { fromStatic } from './fromStatic'
        export const loadConfig = ({ environmentVariableSelector, default: value }, { signingName, logger } = {}) =>
          memoize(chain(fromEnv(environmentVariableSelector, { signingName, logger }), fromStatic(value)))`,
      loader: 'js',
    }))
  },
}

/**
 * The SDK asks of each answer whether it is a web stream, by a class that Node loads when it is first named: 2 ms. Answers are streams of Node. A web
 * stream is told by the name of its class.
 */
export const noWebStreams: Plugin = {
  name: 'no-web-streams',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/serde\/util-stream\/stream-type-check\.js$/ }, () => ({
      contents: `
        export const isReadableStream = (stream) => stream?.constructor?.name === 'ReadableStream'
        export const isBlob = (blob) => blob?.constructor?.name === 'Blob'`,
      loader: 'js',
    }))
  },
}

/**
 * Leaves out the schemas that a function has no use for. esbuild can't know that making one does nothing else: of 143 that "get folder" made at
 * its start it used 20.
 */
export const usedSchemas: Plugin = {
  name: 'used-schemas',
  setup({ onLoad }) {
    // `export const Day = z…`, `export const ListedFolder = Folder.extend(…)`, `export const UserIdText = idText(…)`
    const schema = /^((?:export )?const [A-Z]\w* = )(?=(?:z|[A-Z]\w*)\s*\.|(?:idText|idJson|text)\()/gm
    onLoad({ filter: /\/(functions|shared\/http)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(schema, '$1/* @__PURE__ */ '),
      loader: 'ts',
    }))
  },
}
