import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { load } from './load.ts'
import { processorSecondsOfAll } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median } from './timing.ts'

const CONNECTIONS = [1, 16]

/** A server with an address that is asked over and over. */
interface Contender extends AsyncDisposable {
  url: string
  authorization: string
  pid: number
}

interface Measured {
  requestsPerSecond: number
  /** Of the server, in microseconds a request. */
  processorTime: number
}

/**
 * `GET /folder/:id` of the whole service, beside the same endpoint by hand (folder-peer-server.ts), in turns, so that both see the same machine.
 * Processor time depends less than the rate on what else the machine does.
 * @param options.seconds of load on each in each round
 * @param options.rounds how often each has its turn; the median counts
 */
export async function run({ seconds = 3, rounds = 3 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await ofService(data.directory)
  await using peer = await byHand(data.directory)
  const rows: Row[] = []
  for (const connections of CONNECTIONS) {
    const turns: { own: Measured; other: Measured }[] = []
    for (let round = 0; round <= rounds; round++) {
      turns.push({ own: await measured(service, connections, seconds), other: await measured(peer, connections, seconds) })
    }
    // The first round warms both up.
    rows.push(...rowsOf(turns.slice(1), `${connections} ${connections === 1 ? 'connection' : 'connections'}`))
  }
  return rows
}

function rowsOf(turns: readonly { own: Measured; other: Measured }[], over: string): Row[] {
  const middle = (what: (turn: { own: Measured; other: Measured }) => number) => median(turns.map(what))
  return [
    { what: `GET /folder/:id, ${over}`, value: Math.round(middle(({ own }) => own.requestsPerSecond)), unit: 'requests/s' },
    { what: `the same by hand, ${over}`, value: Math.round(middle(({ other }) => other.requestsPerSecond)), unit: 'requests/s' },
    {
      what: `of that, ${over}`,
      value: middle(({ own, other }) => own.requestsPerSecond / other.requestsPerSecond),
      unit: 'times',
      atLeast: 0.7,
    },
    { what: `processor time of a request, ${over}`, value: middle(({ own }) => own.processorTime), unit: 'µs' },
    { what: `the same by hand, ${over}`, value: middle(({ other }) => other.processorTime), unit: 'µs' },
  ]
}

async function measured({ url, authorization, pid }: Contender, connections: number, seconds: number): Promise<Measured> {
  const before = processorSecondsOfAll(pid)
  const { requestsPerSecond, requests } = await load(url, { authorization, connections, seconds })
  return { requestsPerSecond, processorTime: ((processorSecondsOfAll(pid) - before) * 1e6) / requests }
}

async function ofService(directory: string): Promise<Contender> {
  const service = await startServiceProcess(directory)
  const { baseUrl, demo, pid, stop } = service
  return { url: `${baseUrl}/folder/${demo.folder_id}`, authorization: await service.signIn(), pid, [Symbol.asyncDispose]: stop }
}

async function byHand(directory: string): Promise<Contender> {
  const script = join(import.meta.dirname, 'folder-peer-server.ts')
  const child = spawn(process.execPath, [script, join(directory, 'peer.sqlite'), join(directory, 'peer.log')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await ended
  }
  for await (const line of createInterface(child.stdout!)) {
    const { port, authorization, folder } = JSON.parse(line) as { port: number; authorization: string; folder: number }
    return { url: `http://127.0.0.1:${port}/folder/${folder}`, authorization, pid: child.pid!, [Symbol.asyncDispose]: stop }
  }
  throw new Error('the server by hand did not start')
}
