import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { provisioning } from '../support/accounts.ts'
import { listening } from '../support/listening.ts'
import { putFiles } from './files-in-table.ts'
import { keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { library } from './search-library.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted, timed } from './timing.ts'

type Client = ApiClient<typeof endpoints>

/** Files that are changed in turn, so that each has one change at a time under way. */
const FILES = 1_000
/** Events of a page. */
const PAGE = 1_000
/** How often the feed is read while it is followed, in milliseconds. */
const LOOK = 50
/** How long what was changed may take to come, in milliseconds. */
const LONGEST = 120_000

/** Changes at a steady pace: how long until the feed and a webhook tell of them, and what other requests notice. */
export async function run({ changes = 10_000, seconds = 60 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory, { WEBHOOK_HTTP: '1', WEBHOOK_ALLOW: '127.0.0.0/8' })
  const { company_id: companyId, user_id: userId, folder_id: folder } = service.demo
  const accounts = await provisioning(service)
  try {
    const files = [...library(FILES)].map((file, n) => ({ ...file, mediaId: 1 + n, folders: [folder] }))
    await putFiles(accounts.table, { companyId, userId }, files)
    const authorization = await service.signIn()
    const client = await service.client(authorization)
    await using receiver = await openReceiver()
    await client['create-webhook']({ body: { url: receiver.url, types: ['media.updated'] } })
    const follower = await follow(client)
    const pace = changes / 60
    const count = Math.round(pace * seconds)

    using other = keepAliveClient({ baseUrl: service.baseUrl, authorization })
    const request = () => other.get(`/folder/${folder}`)
    await timed(1_000, request)
    const idle = await timed(1_000, request)
    const committed = new Arrivals()
    const beside: number[] = []
    const changing = change(client, { count, pace, committed })
    let isOver = false
    void changing.finally(() => (isOver = true)).catch(() => undefined)
    while (!isOver) beside.push(...(await timed(1, request)))
    const took = await changing
    await follower.until(count)
    await receiver.arrived.until(count)

    const feed = lags(committed, follower.arrived)
    const webhook = lags(committed, receiver.arrived)
    const [before, during] = [percentile(idle, 0.99), percentile(sorted(beside), 0.99)]
    return [
      { what: 'changes a minute', value: (count / took) * 60_000, unit: '', atLeast: changes * 0.95 },
      { what: 'from an answer to the feed, p50', value: percentile(feed, 0.5), unit: 'ms' },
      { what: 'the same, p99', value: percentile(feed, 0.99), unit: 'ms', atMost: 2_000 },
      { what: 'from an answer to the webhook, p50', value: percentile(webhook, 0.5), unit: 'ms' },
      { what: 'the same, p95', value: percentile(webhook, 0.95), unit: 'ms', atMost: 2_000 },
      { what: 'GET /folder/:id, idle, p99', value: before, unit: 'ms' },
      { what: 'the same beside it, p99', value: during, unit: 'ms' },
      { what: 'as a multiple', value: during / before, unit: '', atMost: 1.2 },
    ]
  } finally {
    accounts.close()
  }
}

/** When each change of each file was heard of. Changes of a file come in their order. */
class Arrivals {
  readonly #times = new Map<number, number[]>()
  count = 0

  note(mediaId: number): void {
    const times = this.#times.get(mediaId) ?? []
    this.#times.set(mediaId, [...times, performance.now()])
    this.count++
  }

  /** Waits until so many have come. */
  async until(count: number): Promise<void> {
    for (const end = performance.now() + LONGEST; this.count < count; await sleep(LOOK)) {
      if (performance.now() > end) throw new Error(`${this.count} of ${count} changes arrived`)
    }
  }

  /** All times, file by file. */
  all(): number[] {
    return [...this.#times].sort(([a], [b]) => a - b).flatMap(([, times]) => times)
  }
}

/** Milliseconds between both, the shortest first. A change may be heard of before its own answer arrives: then there was none. */
function lags(committed: Arrivals, arrived: Arrivals): number[] {
  const heard = arrived.all()
  return sorted(committed.all().map((time, n) => Math.max(0, heard[n]! - time)))
}

/** Changes titles at a steady pace, whether or not earlier changes are answered. @returns how long it took, in milliseconds */
async function change(client: Client, { count, pace, committed }: { count: number; pace: number; committed: Arrivals }): Promise<number> {
  const started = performance.now()
  const under: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, started + (n * 1000) / pace - performance.now()))
    const id = 1 + (n % FILES)
    under.push(
      client['set-title']({ params: { id }, body: { en: `Title ${n}` } }).then(({ status }) => {
        if (status !== 200) throw new Error(`a title could not be changed: ${status}`)
        committed.note(id)
      }),
    )
  }
  await Promise.all(under)
  return performance.now() - started
}

/** Follows the feed from here. */
async function follow(client: Client) {
  const arrived = new Arrivals()
  let { cursor } = (await client['list-events']({ query: { cursor: 'now' } })).body
  const read = async () => {
    const { body } = await client['list-events']({ query: { cursor, types: ['media.updated'], limit: PAGE } })
    for (const { data } of body.events) arrived.note(data.media_id!)
    cursor = body.cursor
  }
  let isOver = false
  const reading = (async () => {
    for (; !isOver; await sleep(LOOK)) await read()
  })()
  return {
    arrived,
    async until(count: number) {
      await arrived.until(count)
      isOver = true
      await reading
    },
  }
}

/** A server that gets webhooks. */
async function openReceiver() {
  const arrived = new Arrivals()
  const seen = new Set<unknown>()
  const server = createServer(async (request, response) => {
    const id = request.headers['webhook-id']
    const { data } = JSON.parse(await text(request))
    // An event may come twice.
    if (!seen.has(id)) arrived.note(data.data.media_id)
    seen.add(id)
    response.writeHead(204).end()
  })
  const { url, stop } = await listening(server)
  return {
    arrived,
    url: `${url}/`,
    [Symbol.asyncDispose]: stop,
  }
}
