import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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
