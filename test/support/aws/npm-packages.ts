import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptInCache } from './cache.ts'
import { installationStep } from './installation.ts'

/**
 * Packages of npm that one kind of test alone needs, in the cache folder, installed at the first call.
 * @param name what they are for @param packages versions by name
 * @returns their `node_modules`
 * @throws EngineUnavailable without a way to the package registry
 */
export async function npmPackages(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const home = await keptInCache(`${name}-${version}`, async (folder) => {
    console.log(`installing ${name} (npm)`)
    await writeFile(join(folder, 'package.json'), manifest)
    await installationStep('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  })
  return join(home, 'node_modules')
}
