import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAliveClient } from './keep-alive-client.ts'
import { residentBytes, watchMemory } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median } from './timing.ts'

const MEGABYTE = 1024 ** 2
const STATUS = 'HTTP/1.1 200'
const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'

/**
 * What connections that send very many requests in one write do to others: how long `GET /whoami` of another client takes until all are
 * answered, and by how much the server's memory grows. First of clients that read, then of clients that read nothing.
 * @param options.requests in one write of a connection
 * @param options.connections that do so at once
 */
export async function run({ requests = 1_600, connections = 5 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const { baseUrl, pid } = service
  using other = keepAliveClient({ baseUrl, authorization: await service.signIn() })
  // The document is made at the first request for it.
  for (let n = 0; n < 50; n++) {
    await other.read('/whoami')
    await other.read('/openapi.json')
  }
  const rows: Row[] = []
  for (const [count, reads] of [
    [1, true],
    [connections, true],
    [connections, false],
  ] as const) {
    const before = residentBytes(pid)
    const stopWatching = watchMemory(pid)
    const floods = Array.from({ length: count }, () => flood(baseUrl, requests, reads))
    const times: number[] = []
    const isOver = reads ? Promise.all(floods.map(({ answered }) => answered)) : sleep(3_000)
    let over = false
    void isOver.finally(() => {
      over = true
    })
    do {
      const started = performance.now()
      await other.read('/whoami')
      times.push(performance.now() - started)
    } while (!over)
    await isOver
    for (const { socket } of floods) socket.destroy()
    const grown = stopWatching() - before
    const of = `${requests} requests in one write on ${count} ${count === 1 ? 'connection' : 'connections'}${reads ? '' : ' that read nothing'}`
    rows.push({ what: `GET /whoami beside ${of}, longest of ${times.length}`, value: Math.max(...times), unit: 'ms', atMost: 200 })
    rows.push({ what: `GET /whoami beside ${of}, median`, value: median(times), unit: 'ms' })
    rows.push({ what: `memory for ${of}`, value: grown / MEGABYTE, unit: 'MB', atMost: 50 })
    await sleep(500)
  }
  return rows
}

function flood(baseUrl: string, requests: number, reads: boolean): { socket: Socket; answered: Promise<void> } {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write(DOCUMENT.repeat(requests))
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
  answered.catch(() => undefined)
  let count = 0
  let rest = Buffer.alloc(0)
  socket.on('error', reject).on('close', () => reject(new Error(`the server closed after ${count} answers`)))
  if (reads) {
    socket.on('data', (chunk: Buffer) => {
      const bytes = Buffer.concat([rest, chunk])
      for (let at = bytes.indexOf(STATUS); at >= 0; at = bytes.indexOf(STATUS, at + 1)) count += 1
      rest = bytes.subarray(-(STATUS.length - 1))
      if (count >= requests) resolve()
    })
  } else socket.pause()
  return { socket, answered }
}
