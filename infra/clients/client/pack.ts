import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'
import { bundledLicences } from './bundled-licences.ts'
import { writeDeclarations } from './declarations.ts'

/** `npm run pack:client`: makes the tarball of the client package. Its path is the last line of standard output. */
const root = join(import.meta.dirname, '../../..')
const { version, license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** The package's manifest for npm. */
const manifest = {
  name: 'media-library',
  version,
  description: 'Client and command line of the media library.',
  license,
  type: 'module',
  engines,
  sideEffects: false,
  exports: { '.': { types: './types/client.d.ts', default: './client.js' } },
  bin: { 'media-library': './cli.js' },
  // With it the command line keeps its token in the system's keychain.
  peerDependencies: { '@napi-rs/keyring': '>=1' },
  peerDependenciesMeta: { '@napi-rs/keyring': { optional: true } },
}

/** Makes the tarball in a folder. @returns its path */
export async function packClient(target: string): Promise<string> {
  const folder = join(target, 'client')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const bundled = await bundle(folder)
  await writeDeclarations(join(folder, 'types'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, 'BUNDLED-LICENCES.txt'), await bundledLicences(root, bundled))
  for (const page of ['README.md', 'EXAMPLES.md']) await cp(join(import.meta.dirname, page), join(folder, page))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { stdout } = await promisify(execFile)('npm', ['pack', folder, '--pack-destination', target, '--json', '--ignore-scripts'])
  return join(target, JSON.parse(stdout)[0].filename)
}

const house = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  mainFields: ['module', 'main'],
  target: 'es2022',
  legalComments: 'none',
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Packages of CommonJS ask for modules of Node by `require`. */
const withRequire = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** @returns paths of all files whose code is in the package */
async function bundle(folder: string): Promise<string[]> {
  const commandLine = join(folder, 'cli.js')
  const bundled = [
    await build({ ...house, entryPoints: ['infra/clients/client/client.ts'], outfile: join(folder, 'client.js'), platform: 'neutral' }),
    await build({
      ...house,
      entryPoints: ['infra/clients/cli/main.ts'],
      outfile: commandLine,
      platform: 'node',
      banner: { js: withRequire },
    }),
  ]
  await chmod(commandLine, 0o755)
  return bundled.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}

if (import.meta.main) console.log(await packClient(join(root, 'dist')))
