import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { keptInCache } from '../support/aws/cache.ts'
import { installationStep } from '../support/aws/installation.ts'

/** What a picture is asked for as. */
export interface Wanted {
  /** Pixels. */
  width: number
  format: 'jpeg' | 'webp'
}

const ipxVersion = '3.1.1'
/** The newest that this version of ipx allows. */
const ipxSharpVersion = '0.34.5'

/**
 * ipx as its documentation says to run it as a server of its own, but without progressive JPEGs, which take longer and which no other
 * makes here. It has no cache.
 * @param folder holds the files
 */
export async function startIpx(folder: string) {
  const packages = [`ipx@${ipxVersion}`, `sharp@${ipxSharpVersion}`]
  const home = await keptInCache(`ipx-${ipxVersion}`, async (into) => {
    console.log(`installing ${packages.join(' and ')} (npm)`)
    await installationStep('npm', ['install', '--prefix', into, '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', ...packages])
  })
  const module = pathToFileURL(join(home, 'node_modules/ipx/dist/index.mjs')).href
  const child = spawn(process.execPath, [join(import.meta.dirname, 'ipx-server.ts'), module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const port = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value as string | undefined
  if (port === undefined) throw new Error('ipx did not start')
  return {
    name: `ipx ${ipxVersion}`,
    /** @param file its name in the folder */
    url(file: string, { width, format }: Wanted): string {
      const frames = file.endsWith('.gif') ? ',animated' : ''
      return `http://127.0.0.1:${port}/w_${width},f_${format},q_80${frames}/${file}`
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const imagorVersion = '1.4.15'

/**
 * imagor, a server of pictures over libvips, as its documentation says to run it: a process of its own that reads files from a folder. It has
 * no cache, and renders as many pictures at a time as there are processors, as the service does. Go builds it with the system's libvips
 * (Debian: `apt-get install libvips-dev`): the newest version that builds with the libvips of Debian 12.
 * @param folder holds the files
 * @throws EngineUnavailable where it can't be built
 */
export async function startImagor(folder: string) {
  const home = await keptInCache(`imagor-${imagorVersion}`, async (into) => {
    console.log(`building imagor ${imagorVersion} (go)`)
    const env = { ...process.env, GOBIN: into, GOFLAGS: '-buildvcs=false' }
    await installationStep('go', ['install', `github.com/cshum/imagor/cmd/imagor@v${imagorVersion}`], { env })
  })
  const port = await freePort()
  const settings = {
    bind: `127.0.0.1:${port}`,
    'file-loader-base-dir': folder,
    'imagor-process-concurrency': availableParallelism(),
    'imagor-process-queue-size': 1_024,
    'imagor-request-timeout': '5m',
    'imagor-unsafe': true,
    'vips-strip-metadata': true,
  }
  const flags = Object.entries(settings).map(([name, value]) => `-${name}=${value}`)
  const child = spawn(join(home, 'imagor'), flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const url = (path: string) => `http://127.0.0.1:${port}/${path}`
  const isUp = () =>
    fetch(url('healthcheck')).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error('imagor did not start')
    await sleep(50)
  }
  return {
    name: `imagor ${imagorVersion}`,
    pid: child.pid!,
    /** @param file its name in the folder */
    url: (file: string, { width, format }: Wanted) => url(`unsafe/${width}x0/filters:format(${format}):quality(80)/${file}`),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A port of loopback that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
