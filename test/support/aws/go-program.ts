import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
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

/**
 * The beginning of a Go module in the cache folder, with everything that some packages need, fetched at the first call.
 *
 * @param source path of the module that has the packages
 * @returns the folder of its `go.mod` and `go.sum`, and what Go needs to build it without the module proxy
 * @throws EngineUnavailable without Go, or a way to its module proxy
 */
export async function goModule(name: string, source: string, version: string, packages: readonly string[]) {
  const imports = packages.map((each) => `import _ "${source}/${each}"`)
  const digest = createHash('sha256').update(imports.join()).digest('hex').slice(0, 8)
  const envIn = (home: string) => ({
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: '-modcacherw -buildvcs=false',
    GOMODCACHE: join(home, 'modules'),
  })
  const home = await keptInCache(`${name}-${basename(source)}-${version}-${digest}`, async (folder) => {
    const directory = join(folder, 'module')
    const options = { cwd: directory, env: envIn(folder) }
    await mkdir(directory)
    await writeFile(join(directory, 'go.mod'), `module ${name}\n\nrequire ${source} ${version}\n`)
    await writeFile(join(directory, 'needs.go'), `package main\n\n${imports.join('\n')}\n`)
    await installationStep('go', ['mod', 'tidy'], options)
  })
  return { directory: join(home, 'module'), env: envIn(home) }
}
