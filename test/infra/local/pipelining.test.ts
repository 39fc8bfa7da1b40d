import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'vitest'
import { elsewhere, startService } from '../../support/service.ts'

const REQUESTS = 1_600
const STATUS = 'HTTP/1.1 200'

test('others are answered while one connection has sent very many requests in one write', elsewhere, async () => {
  const service = await startService()
  const authorization = await service.signIn()
  await service.request('/openapi.json')
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect(Number(port), hostname)
  let answered = 0
  let rest = ''
  const { promise: all, resolve } = Promise.withResolvers<void>()
  socket.setEncoding('latin1').on('data', (some: string) => {
    const text = rest + some
    answered += text.split(STATUS).length - 1
    rest = text.slice(1 - STATUS.length)
    if (answered === REQUESTS) resolve()
  })
  const logged = service.log.length
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS))
  await once(socket, 'data')
  assert.equal((await service.request('/whoami', { headers: { authorization } })).status, 200)
  const before = service.log.slice(logged).findIndex((line) => line.includes('/whoami'))
  assert.ok(before < REQUESTS / 4, `${before} requests of the one connection came first`)
  await all
  socket.destroy()
  await service.stop()
})
