import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_LIMITS } from '../../../infra/local/http/client-limits.ts'
import { type Service, startService } from '../../support/service.ts'
import { uploadAndImport } from '../../support/uploading.ts'

/** More than the system takes for a client that reads nothing. */
const BYTES = 24 * 1024 ** 2
const SLOTS = 12

describe('clients that ask for a large file and read nothing of it', () => {
  let service: Service
  let url: URL
  const file = randomBytes(BYTES)
  const readers: Socket[] = []

  beforeAll(async () => {
    const limits = { ...CLIENT_LIMITS, connections: { total: SLOTS, perSource: SLOTS } }
    service = await startService({}, limits)
    const client = await service.client()
    const { id } = await uploadAndImport(client, service.demo.folder_id, file, 'large.bin')
    url = new URL((await client['get-download-location']({ params: { id } })).body.url)
  })
  afterAll(async () => {
    for (const socket of readers) socket.destroy()
    await service.stop()
  })

  /** Asks for the file, reads the first bytes of the answer and then nothing. */
  async function stall(): Promise<Socket> {
    const socket = connect(Number(url.port), url.hostname)
    readers.push(socket)
    socket.on('error', () => undefined).write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    return socket
  }

  /** Over a connection of its own. */
  async function read(address: string | URL, headers = {}): Promise<{ status: number | undefined; body: Buffer }> {
    const [response] = (await once(get(address, { agent: false, headers }), 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await buffer(response) }
  }

  test('keep out neither short requests nor those who read', async () => {
    const authorization = await service.signIn()
    const stalled = await Promise.all(Array.from({ length: SLOTS }, stall))
    for (let round = 0; round < 3; round++) assert.equal((await read(`${service.baseUrl}/whoami`, { authorization })).status, 200)
    assert.deepEqual((await read(url)).body, file)
    // Those that were ended learn it when they read.
    for (const socket of stalled) socket.resume()
    await expect.poll(() => stalled.filter(({ destroyed }) => destroyed).length, { timeout: 60_000 }).toBeGreaterThan(0)
  })
})
