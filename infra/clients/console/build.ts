import { mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Rolldown } from 'vite'
import { consoleVersion, isBuilt, versionDirectory } from './built.ts'
import { SHARE_SCRIPT } from './console-files.ts'

/** `npm ci` and the first request for the console run it: compiles `app/` into a folder named by its version, unless that is there already. */
// Another value of the environment, as of a test, would compile what is for development.
process.env.NODE_ENV = 'production'
const version = consoleVersion()
const app = join(import.meta.dirname, 'app')
if (!isBuilt(version)) await (/[#?]/.test(app) ? byLink() : buildConsole(version, app))

/** Vite takes no path with # or ?, so it gets another one to the same folder. */
async function byLink(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  try {
    await symlink(join(import.meta.dirname, '../../..'), join(folder, 'project'))
    await buildConsole(version, join(folder, 'project/infra/clients/console/app'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Several processes may build at a time: each works in a folder of its own, and the first that is done gives it the name. */
async function buildConsole(version: string, root: string): Promise<void> {
  const sharePage = join(root, 'share.ts')
  const target = versionDirectory(version)
  const parent = join(target, '..')
  const working = `${target}.${process.pid}`
  await mkdir(parent, { recursive: true })
  await build({
    configFile: false,
    root,
    resolve: { preserveSymlinks: root !== app },
    base: '/console/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: false, compilerOptions: { runes: true } })],
    build: {
      rolldownOptions: {
        // `npm ci` shows what this prints, and how long each part of a build takes is nothing to its reader.
        checks: { bundlerTimings: false },
        input: { index: join(root, 'index.html'), share: sharePage },
        output: {
          // The page behind a share link names this file, so its name stays.
          entryFileNames: ({ name }) => (name === 'share' ? SHARE_SCRIPT : 'assets/[name]-[hash].js'),
          // The first screen is few files, where each set of pages that need a module in common would have one of its own.
          codeSplitting: {
            groups: [
              {
                debugName: 'first screen',
                tags: ['$initial'],
                test: (id) => id !== sharePage,
                name: (id, modules) => (needs(sharePage, id, modules) ? 'common' : 'console'),
              },
            ],
          },
        },
      },
      outDir: working,
      emptyOutDir: true,
      target: 'es2023',
      // The policy of the page allows no data: in scripts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The player of streams, which is loaded when a film is played.
      chunkSizeWarningLimit: 600,
    },
  })
  await rename(working, target).catch(async (error: unknown) => {
    await rm(working, { recursive: true, force: true })
    if (!isBuilt(version)) throw error
  })
  for (const other of await readdir(parent)) {
    // Those with a dot are being built by another process.
    if (other !== version && !other.includes('.')) await rm(join(parent, other), { recursive: true, force: true })
  }
}

/** Whether a page loads a module, at once or later. */
function needs(page: string, id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (id === page) return true
  if (seen.has(id)) return false
  seen.add(id)
  const { importers, dynamicImporters } = modules.getModuleInfo(id)!
  return [...importers, ...dynamicImporters].some((importer) => needs(page, importer, modules, seen))
}
