import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ClientLimits } from '../../../infra/local/http/client-limits.ts'
import { startService } from '../../support/service.ts'

const HOUR = 3_600_000
/** Ten times as many as there are slots for one source. */
const POSTS = 100
const LIMITS: ClientLimits = {
  connections: { total: 60, perSource: 30 },
  uploads: { total: 20, perSource: 10 },
  bytesHeld: 256 * 1024 ** 2,
  pace: { beforeFileMs: HOUR, windowMs: HOUR, windowBytes: 1 },
}
const BEGINNING =
  'POST /-/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99999\r\n\r\n--b\r\n'

test('posts that trickle in and never end keep nobody out, from the same address neither', async () => {
  const service = await startService({}, LIMITS)
  const { port, hostname } = new URL(service.baseUrl)
  const open = new Set<Socket>()
  let answers = ''
  let isOver = false
  onTestFinished(async () => {
    isOver = true
    for (const socket of open) socket.destroy()
    await service.stop()
  })
  /** Posts again whenever it is cut off. */
  const post = () => {
    const socket = connect(Number(port), hostname)
    open.add(socket)
    const trickle = setInterval(() => socket.write('x'), 50)
    socket.on('error', () => undefined).setEncoding('utf8')
    socket.on('data', (text: string) => (answers += text))
    socket.on('close', () => {
      clearInterval(trickle)
      open.delete(socket)
      if (!isOver) setTimeout(post, 100)
    })
    socket.write(BEGINNING)
  }
  for (let n = 0; n < POSTS; n++) post()
  const authorization = await service.signIn()
  await expect.poll(() => answers, { timeout: 300_000 }).toContain('<Code>SlowDown</Code>')
  for (let round = 0; round < 20; round++) {
    const { status } = await service.request('/folder', { headers: { authorization, connection: 'close' } })
    assert.equal(status, 200)
  }
})
