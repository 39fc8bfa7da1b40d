import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import type { ImageServer } from './image-servers.ts'
import { processorSecondsOfAll } from './processes.ts'
import type { Contender, Task } from './renders-side-by-side.ts'
import type { ServiceProcess } from './service-process.ts'

/** Asks over kept connections. */
export interface HttpClient extends Disposable {
  /** @param cached what the header `X-Cache` has to say; anything where none is named. @throws Error when the status isn't 200 */
  get(url: string, cached?: 'hit' | 'miss'): Promise<Buffer>
}

export function httpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true })
  return {
    get(url, cached) {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      const sent = request(url, { agent }, async (response) => {
        const answer = await buffer(response)
        const told = response.headers['x-cache']
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode} ${answer.toString().slice(0, 200)}`))
        else if (cached && told !== cached) reject(new Error(`${url} is a ${told}, not a ${cached}`))
        else resolve(answer)
      })
      sent.on('error', reject).end()
      return promise
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** The address of a picture of a link. */
export function pictureUrl(links: readonly string[], { file, width, format }: Task): string {
  return `${links[file]}?width=${width}${format === 'gif' ? '' : `&output_format=${format}`}`
}

/** The service. Every picture has to be asked for the first time. */
export function serviceContender({ pid }: ServiceProcess, links: readonly string[], http: HttpClient): Contender {
  return {
    name: 'the service',
    render: (task) => http.get(pictureUrl(links, task), 'miss'),
    processorSeconds: () => processorSecondsOfAll(pid),
  }
}

/** @param names of the files in the folder that it serves */
export function serverContender({ name, pid, url }: ImageServer, names: readonly string[], http: HttpClient): Contender {
  return {
    name,
    render: (task) => http.get(url(names[task.file]!, task)),
    processorSeconds: () => processorSecondsOfAll(pid),
  }
}

/** The library alone, in this process, from the originals, with the service's settings of its encoders. */
export function sharpAlone(paths: readonly string[]): Contender {
  sharp.cache(false)
  return {
    name: 'sharp alone',
    render: ({ file, width, format }) => {
      const path = paths[file]!
      return encode(sharp(path, { animated: path.endsWith('.gif'), autoOrient: true }).resize(width), format).toBuffer()
    },
    processorSeconds: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  }
}

function encode(image: Sharp, format: Task['format']): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 80 })
    case 'webp':
      return image.webp({ quality: 80 })
    case 'gif':
      return image.gif({ effort: 3 })
  }
}
