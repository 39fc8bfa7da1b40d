import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, keptInCache } from './cache.ts'
import { installationStep } from './installation.ts'

/**
 * A virtual environment in the cache folder that holds one Python package, installed at the first call. Scripts in its `bin` name the
 * place where it was filled: run modules (`python -m`).
 *
 * @returns its Python interpreter
 * @throws EngineUnavailable without Python 3, its venv module, or a way to the package registry
 */
export async function pythonWith(name: string, version: string): Promise<string> {
  const home = join(cacheFolder(), `${name}-${version}`)
  const python = join(home, 'bin', 'python')
  // What is there all the same lost the Python it was made with.
  if (!existsSync(python)) await rm(home, { recursive: true, force: true })
  await keptInCache(`${name}-${version}`, async (folder) => {
    console.log(`installing ${name} ${version} (Python)`)
    await installationStep('python3', ['-m', 'venv', folder])
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', `${name}==${version}`]
    await installationStep(join(folder, 'bin', 'python'), pip)
  })
  return python
}
