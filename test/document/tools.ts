import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptInCache } from '../support/aws/cache.ts'
import { installationStep } from '../support/aws/installation.ts'

/** 127 MB that only this step needs. The generator of clients works with the compiler of its time alone. */
const packages = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
}

/**
 * The linters of OpenAPI documents and a generator of clients, in the cache folder, installed at the first call.
 * @returns their `node_modules` @throws EngineUnavailable without a way to the package registry
 */
export async function documentTools(): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const home = await keptInCache(`document-tools-${version}`, async (folder) => {
    console.log('installing linters of OpenAPI documents (npm)')
    await writeFile(join(folder, 'package.json'), manifest)
    await installationStep('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  })
  return join(home, 'node_modules')
}
