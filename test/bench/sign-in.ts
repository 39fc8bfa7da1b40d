import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { provisioning } from '../support/accounts.ts'
import type { Service } from '../support/service.ts'
import { uploadAndImport } from '../support/uploading.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median, percentile } from './timing.ts'

/** Loopback addresses from which the others and each flood come: to the server they are different sources. */
const OTHERS = '127.0.0.2'
const floodFrom = (round: number) => `127.0.1.${round + 1}`
/** Longest that anybody else should wait meanwhile, in milliseconds. */
const TARGET = 150
/** Wrong sign-ins for one user that may be compared. */
const LIMIT = 10

/**
 * What a flood of wrong sign-ins from one address, all at once for one user, does to others: how many of them are compared, and how long
 * sign-ins from another address and small downloads take until the flood is answered.
 * @param options.guesses at once
 * @param options.rounds floods, one after the other, each from an address of its own; at most 200
 */
export async function run({ guesses = 200, rounds = 20 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const accounts = await provisioning(service)
  const [victim, other] = [await accounts.user(), await accounts.user()]
  accounts.close()
  const file = await smallFile(service)
  const others = client(service, OTHERS)
  const signIn = () => others.signIn(other.username, other.password)
  const [calm, floods, compared]: [number[], number[], number[]] = [[], [], []]
  const [signIns, downloads]: [number[], number[]] = [[], []]
  for (let n = 0; n < 2 * rounds; n++) calm.push(await timeOf(signIn))
  for (let round = 0; round < rounds; round++) {
    const flooding = client(service, floodFrom(round))
    let isOver = false
    const started = performance.now()
    const flood = Promise.all(Array.from({ length: guesses }, (_, n) => flooding.signIn(victim.username, `guess ${n}`)))
    const answered = flood.finally(() => {
      floods.push(performance.now() - started)
      isOver = true
    })
    const meanwhile = async (ask: () => Promise<number>, times: number[]) => {
      while (!isOver) times.push(await timeOf(ask))
    }
    const [statuses] = await Promise.all([answered, meanwhile(signIn, signIns), meanwhile(() => others.get(file), downloads)])
    compared.push(statuses.filter((status) => status === 401).length)
    flooding.close()
  }
  others.close()
  const name = `while ${guesses} wrong ones came at once from another address`
  return [
    { what: `of ${guesses} wrong sign-ins at once for one user, compared, at most`, value: Math.max(...compared), unit: '', atMost: LIMIT },
    { what: 'until all of them were answered, median', value: median(floods), unit: 'ms' },
    { what: 'a sign-in while nobody else does, median', value: median(calm), unit: 'ms' },
    { what: `a sign-in ${name}, median of ${signIns.length}`, value: median(signIns), unit: 'ms' },
    { what: `a sign-in ${name}, p95`, value: percentile(signIns.toSorted(ascending), 0.95), unit: 'ms', atMost: TARGET },
    { what: `a download of some bytes meanwhile, median of ${downloads.length}`, value: median(downloads), unit: 'ms' },
    { what: 'a download of some bytes meanwhile, p95', value: percentile(downloads.toSorted(ascending), 0.95), unit: 'ms', atMost: TARGET },
  ]
}

const ascending = (a: number, b: number) => a - b

/** @returns milliseconds. @throws Error when it wasn't answered with 200 */
async function timeOf(ask: () => Promise<number>): Promise<number> {
  const started = performance.now()
  const status = await ask()
  if (status !== 200) throw new Error(`one of the others was answered with ${status}`)
  return performance.now() - started
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
