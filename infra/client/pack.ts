import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, type Metafile } from 'esbuild'
import { bundledLicences } from './bundled-licences.ts'
import { writeDeclarations } from './declarations.ts'

/** `npm run pack:client`: makes the tarball of the client package. Its path is the last line of standard output. */
const root = join(import.meta.dirname, '../..')
const { version, license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** What npm reads of the package. */
const manifest = {
  name: 'media-library',
  version,
  description: 'Client of the media library.',
  license,
  type: 'module',
  engines,
  sideEffects: false,
  exports: { '.': { types: './types/client.d.ts', default: './client.js' } },
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
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { stdout } = await promisify(execFile)('npm', ['pack', folder, '--pack-destination', target, '--json', '--ignore-scripts'])
  return join(target, JSON.parse(stdout)[0].filename)
}

async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: 'infra/client/client.ts', out: 'client' }],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  return metafile
}

if (import.meta.main) console.log(await packClient(join(root, 'dist')))
