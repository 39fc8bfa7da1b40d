import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Destination, Source, Uploaded, UploadOrder } from './upload-order.ts'

/** A process that uploads (upload-order.ts) and as little else as possible: it shares the machine with the server that it measures. */
interface File {
  name: string
  bytes: number
  blocks(): Iterable<Buffer>
}

/** As the interface gives it; the last field is the file. */
interface Form {
  action: string
  fields: { name: string; value?: string }[]
}

const BLOCK_BYTES = 1024 * 1024

async function toFile(source: Source): Promise<File> {
  if ('path' in source) {
    const content = await readFile(source.path)
    return { name: basename(source.path), bytes: content.length, blocks: () => [content] }
  }
  const block = randomBytes(BLOCK_BYTES)
  const { bytes } = source
  return {
    name: 'random.bin',
    bytes,
    *blocks() {
      for (let sent = 0; sent < bytes; sent += block.length) yield block.subarray(0, Math.min(block.length, bytes - sent))
    },
  }
}

function client({ to, parallel }: UploadOrder) {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })

  async function send(url: string, options: RequestOptions, body: Iterable<Buffer | string>): Promise<IncomingMessage> {
    const sent = request(url, { ...options, agent })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    for (const block of body) if (!sent.write(block)) await once(sent, 'drain')
    sent.end()
    return (await answered)[0]
  }

  async function register({ baseUrl, authorization, folderId }: Extract<Destination, { baseUrl: string }>): Promise<Form> {
    const body = JSON.stringify({ folder: folderId })
    const headers = { authorization, 'content-length': Buffer.byteLength(body) }
    return answerOf(await send(`${baseUrl}/upload/register`, { method: 'POST', headers }, [body]), 200)
  }

  /** @returns the finalize URL */
  async function post({ action, fields }: Form, file: File): Promise<string> {
    const boundary = randomUUID()
    const part = (header: string) => `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`
    const hidden = fields.slice(0, -1).map(({ name, value }) => `${part(`name="${name}"`)}${value}\r\n`)
    const head = Buffer.from(`${hidden.join('')}${part(`name="file"; filename="${file.name}"`)}`)
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + file.bytes + tail.length,
    }
    const response = await send(action, { method: 'POST', headers }, parts(head, file, tail))
    const answer = await text(response)
    if (response.statusCode !== 303) throw new Error(`the form was answered with ${response.statusCode} ${answer}`)
    return response.headers.location!
  }

  async function finalize(url: string): Promise<number> {
    return (await answerOf<{ media_id: number }>(await send(url, { method: 'GET' }, []), 200)).media_id
  }

  return {
    /** @returns the id of the file in a library */
    async upload(file: File): Promise<number[]> {
      if ('action' in to) {
        await post({ action: to.action, fields: [] }, file)
        return []
      }
      return [await finalize(await post(await register(to), file))]
    },
    close: () => agent.destroy(),
  }
}

function* parts(head: Buffer, file: File, tail: Buffer): Generator<Buffer> {
  yield head
  yield* file.blocks()
  yield tail
}

async function answerOf<T>(response: IncomingMessage, status: number): Promise<T> {
  const answer = await text(response)
  if (response.statusCode !== status) throw new Error(`answered with ${response.statusCode} ${answer}`)
  return JSON.parse(answer)
}

async function run(order: UploadOrder): Promise<Uploaded> {
  const { sources, parallel, until } = order
  const files = await Promise.all(sources.map(toFile))
  const { upload, close } = client(order)
  const mediaIds: number[] = []
  const durations: number[] = []
  let started = 0
  const begin = performance.now()
  const passed = () => (performance.now() - begin) / 1000
  const goesOn = () => ('uploads' in until ? started < until.uploads : passed() < until.seconds)
  const worker = async () => {
    while (goesOn()) {
      const from = performance.now()
      mediaIds.push(...(await upload(files[started++ % files.length]!)))
      durations.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  const seconds = passed()
  close()
  return { uploads: started, mediaIds, seconds, durations }
}

process.once('message', async (order) => {
  process.send?.(await run(order as UploadOrder))
  process.disconnect()
})
