import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { keptInCache } from '../support/aws/cache.ts'
import { freePort } from '../support/aws/free-port.ts'
import { installationStep } from '../support/aws/installation.ts'
import { pythonWith } from '../support/aws/python-environment.ts'

/** What a picture is asked for as. */
export interface Wanted {
  /** Pixels. */
  width: number
  format: 'jpeg' | 'webp'
}

/** Another server that makes pictures of files in a folder, in a process of its own. */
export interface ImageServer extends AsyncDisposable {
  name: string
  pid: number
  /** @param file its name in the folder */
  url(file: string, wanted: Wanted): string
}

const ipxVersion = '3.1.1'
/** The newest that this version of ipx allows. */
const ipxSharpVersion = '0.34.5'
const thumborVersion = '7.8.0'

/**
 * ipx as its documentation says to run it as a server of its own, but without progressive JPEGs, which take longer and which no other
 * makes here. It has no cache.
 */
export async function startIpx(folder: string): Promise<ImageServer> {
  const packages = [`ipx@${ipxVersion}`, `sharp@${ipxSharpVersion}`]
  const home = await keptInCache(`ipx-${ipxVersion}`, async (into) => {
    console.log(`installing ${packages.join(' and ')} (npm)`)
    await installationStep('npm', ['install', '--prefix', into, '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', ...packages])
  })
  const module = pathToFileURL(join(home, 'node_modules/ipx/dist/index.mjs')).href
  const child = spawn(process.execPath, [join(import.meta.dirname, 'ipx-server.ts'), module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const port = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value as string | undefined
  if (port === undefined) throw new Error('ipx did not start')
  return running(`ipx ${ipxVersion}`, child, (file, { width, format }) => {
    const frames = file.endsWith('.gif') ? ',animated' : ''
    return `http://127.0.0.1:${port}/w_${width},f_${format},q_80${frames}/${file}`
  })
}

/**
 * thumbor with its ordinary engine (Pillow) and as many processes as the documentation advises, one a processor. Files come from the
 * disk; neither they nor results are stored, and JPEGs aren't progressive.
 * @param scratch folder for its settings
 */
export async function startThumbor(folder: string, scratch: string): Promise<ImageServer> {
  const python = await pythonWith('thumbor', thumborVersion)
  const settings = join(scratch, 'thumbor.conf')
  await writeFile(
    settings,
    `LOADER = 'thumbor.loaders.file_loader'
FILE_LOADER_ROOT_PATH = ${JSON.stringify(folder)}
STORAGE = 'thumbor.storages.no_storage'
RESULT_STORAGE = None
RESPECT_ORIENTATION = True
PROGRESSIVE_JPEG = False
QUALITY = 80
`,
  )
  const port = await freePort()
  const where = ['--ip', '127.0.0.1', '--port', String(port), '--conf', settings, '--processes', '0']
  const child = spawn(python, ['-m', 'thumbor.server', ...where], { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswered(`${origin}/healthcheck`, child)
  const url: ImageServer['url'] = (file, { width, format }) => `${origin}/unsafe/${width}x0/filters:format(${format})/${file}`
  return running(`thumbor ${thumborVersion}`, child, url)
}

async function untilAnswered(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) break
    const { promise, resolve } = Promise.withResolvers<boolean>()
    get(url, (response) => resolve(response.resume().statusCode === 200)).on('error', () => resolve(false))
    if (await promise) return
    await sleep(100)
  }
  throw new Error(`nothing answers at ${url}`)
}

/** @param child leads a process group: the processes that it has started end with it */
function running(name: string, child: ChildProcess, url: ImageServer['url']): ImageServer {
  const pid = child.pid!
  return {
    name,
    pid,
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      process.kill(-pid, 'SIGKILL')
      await ended
    },
  }
}
