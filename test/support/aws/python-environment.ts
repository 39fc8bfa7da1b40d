import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from './cache.ts'
import { EngineUnavailable } from './engine.ts'

const run = promisify(execFile)
const installLimit = { timeout: 300_000 }

/**
 * A virtual environment in the cache folder that holds one Python package, installed at the first call.
 *
 * It is built beside its place and renamed, so that it is whole when it is there, also when two runs install at once. Scripts in its
 * `bin` name the old place: run modules (`python -m`).
 *
 * @returns its Python interpreter
 * @throws EngineUnavailable without Python 3, its venv module, or a way to the package registry
 */
export async function pythonWith(name: string, version: string): Promise<string> {
  const home = join(cacheFolder(), `${name}-${version}`)
  const python = join(home, 'bin', 'python')
  if (!existsSync(python)) {
    // What is there all the same lost the Python it was made with.
    await rm(home, { recursive: true, force: true })
    await install(home, `${name}==${version}`)
  }
  return python
}

async function install(home: string, requirement: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true })
  const building = await mkdtemp(`${home}-`)
  try {
    console.log(`installing ${requirement} into ${home}`)
    await run('python3', ['-m', 'venv', building], installLimit)
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', requirement]
    await run(join(building, 'bin', 'python'), pip, installLimit)
    await rename(building, home)
  } catch (cause) {
    // Another run was faster: a full folder can't be replaced by a rename.
    if (existsSync(home)) return
    throw new EngineUnavailable(`${requirement} can't be installed: ${lastLine(cause)}`, { cause })
  } finally {
    await rm(building, { recursive: true, force: true })
  }
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr || message).trim().split('\n').at(-1)!
}
