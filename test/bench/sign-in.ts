import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { provisioning } from '../support/accounts.ts'
import type { Service } from '../support/service.ts'
import { uploadAndImport } from '../support/uploading.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile } from './timing.ts'

/** Loopback addresses from which the flood and the others come: to the server they are different sources. */
const [FLOOD, OTHERS] = ['127.0.0.1', '127.0.0.2']
/** Longest that anybody else should wait meanwhile, in milliseconds. */
const TARGET = 150

/**
 * What a flood of wrong sign-ins from one address does to others: how many of those at once are compared for one user, and how long
 * sign-ins from another address and small downloads take while it goes on.
 * @param options.guesses at once
 */
export async function run({ guesses = 200, seconds = 10 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const accounts = await provisioning(service)
  const [victim, other] = [await accounts.user(), await accounts.user()]
  accounts.close()
  const file = await smallFile(service)
  const [flooding, others] = [client(service, FLOOD), client(service, OTHERS)]
  const signIn = () => others.signIn(other.username, other.password)
  const calm = await repeatedly(3, signIn)

  const started = performance.now()
  const outcomes = await Promise.all(Array.from({ length: guesses }, (_, n) => flooding.signIn(victim.username, `guess ${n}`)))
  const took = performance.now() - started
  let isOver = false
  const flood = (async () => {
    const end = performance.now() + seconds * 1000
    for (let wave = 0; performance.now() < end; wave++) {
      await Promise.all(Array.from({ length: guesses }, (_, n) => flooding.signIn(`nobody ${wave}`, `guess ${n}`)))
    }
    isOver = true
  })()
  const [signIns, downloads] = await Promise.all([
    repeatedlyUntil(() => isOver, signIn),
    repeatedlyUntil(
      () => isOver,
      () => others.get(file),
    ),
  ])
  await flood
  for (const each of [flooding, others]) each.close()
  return [
    {
      what: `of ${guesses} wrong sign-ins at once for one user, compared`,
      value: outcomes.filter((status) => status === 401).length,
      unit: '',
      atMost: 10,
    },
    { what: 'until all of them were answered', value: took, unit: 'ms' },
    { what: 'a sign-in while nobody else does, p50', value: percentile(calm, 0.5), unit: 'ms' },
    { what: `a sign-in from another address, ${guesses} wrong ones at a time, p50`, value: percentile(signIns, 0.5), unit: 'ms' },
    {
      what: `a sign-in from another address, ${guesses} wrong ones at a time, p95`,
      value: percentile(signIns, 0.95),
      unit: 'ms',
      atMost: TARGET,
    },
    { what: 'a download of some bytes meanwhile, p50', value: percentile(downloads, 0.5), unit: 'ms' },
    { what: 'a download of some bytes meanwhile, p95', value: percentile(downloads, 0.95), unit: 'ms', atMost: TARGET },
  ]
}

/** @returns the URL of a file of some bytes */
async function smallFile(service: Service): Promise<string> {
  const api = await service.client()
  const { id } = await uploadAndImport(api, service.demo.folder_id, Buffer.from('Some bytes.'), 'note.txt')
  return (await api['get-download-location']({ params: { id: Number(id) } })).body.url
}

/** Asks from an address of its own. */
function client({ baseUrl, demo }: Service, localAddress: string) {
  const agent = new Agent({ keepAlive: true, localAddress })
  async function ask(url: string, body?: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST' }, async (response) => {
      await text(response)
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end(body)
    return promise
  }
  return {
    /** @returns the status */
    signIn(username: string, password: string): Promise<number> {
      const ts = Math.floor(Date.now() / 1000)
      const hmac = createHmac('sha1', demo.api_secret).update(`${demo.api_key}:${ts}`).digest('hex')
      return ask(`${baseUrl}/authenticate/userpasshmac`, JSON.stringify({ username, password, key: demo.api_key, ts, hmac }))
    },
    get: (url: string) => ask(url),
    close: () => agent.destroy(),
  }
}

/** @returns how long each took, in milliseconds, the shortest first. @throws Error when one wasn't answered with 200 */
async function repeatedlyUntil(isOver: () => boolean, ask: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const started = performance.now()
    const status = await ask()
    if (status !== 200) throw new Error(`one of the others was answered with ${status}`)
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)
}

async function repeatedly(seconds: number, ask: () => Promise<number>): Promise<number[]> {
  const end = performance.now() + seconds * 1000
  return repeatedlyUntil(() => performance.now() > end, ask)
}
