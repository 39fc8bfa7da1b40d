import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keptInCache } from './cache.ts'
import { installationStep } from './installation.ts'

/**
 * A Go program in the cache folder, built from source at the first call.
 *
 * @param source its package path
 * @returns its executable
 * @throws EngineUnavailable without Go, or a way to its module proxy
 */
export async function goProgram(name: string, source: string, version: string): Promise<string> {
  const home = await keptInCache(`${name}-${version}`, async (folder) => {
    console.log(`building ${name} ${version} (Go); takes minutes where Go has no cache of its packages`)
    const modules = join(folder, 'modules')
    const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder, GOPATH: modules, GOFLAGS: '-modcacherw -trimpath -buildvcs=false' }
    await installationStep('go', ['install', `${source}@${version}`], { env })
    await rm(modules, { recursive: true })
  })
  return join(home, name)
}
