import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, test } from 'vitest'
import { besides } from '../../../../infra/local/delivery/own-port.ts'
import { freePort } from '../../../support/aws/free-port.ts'
import { type Service, startService } from '../../../support/service.ts'
import { shownAt } from '../../../support/shown.ts'

/** A service for as long as something is done with it. */
async function withService(environment: Record<string, string>, use: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(environment)
  try {
    await use(service)
  } finally {
    await service.stop()
  }
}

/** A port for the API whose usual port of links and player is free, too. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort()
    const server = createServer().listen(besides(port), '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}

const at = (service: Service, path: string, init?: RequestInit) => fetch(shownAt(service) + path, { redirect: 'manual', ...init })

describe('the origin of links and player', () => {
  test('is another port of the same host, at which there is nothing else, and where addresses of before lead', async () => {
    await withService({}, async (service) => {
      assert.notEqual(shownAt(service), service.baseUrl)
      assert.equal(new URL(shownAt(service)).hostname, new URL(service.baseUrl).hostname)
      assert.equal((await at(service, '/-/player/')).status, 200)
      const headers = { authorization: await service.signIn() }
      const paths = [
        '/',
        '/session',
        '/folder',
        '/healthz',
        '/docs',
        '/console/',
        '/openapi.json',
        '/-/uploads',
        '/-/media/x',
        '/_local/mail',
      ]
      for (const path of paths) {
        const response = await at(service, path, { headers })
        assert.equal(response.status, 404, path)
        assert.equal(((await response.json()) as { code: string }).code, 'not_found', path)
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
        assert.match(response.headers.get('x-svc-request-id') ?? '', /^[\w-]{36}$/)
      }
      for (const path of ['/-/links/demo/nothing.jpg?width=20', '/-/player/', '/-/player']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await service.request(path, { method })
          assert.deepEqual([response.status, response.headers.get('location')], [302, shownAt(service) + path])
          assert.equal(response.headers.get('access-control-allow-origin'), '*')
          assert.equal(response.headers.get('cache-control'), 'no-store')
        }
        assert.equal((await service.request(path, { method: 'OPTIONS' })).status, 204)
        assert.equal((await service.request(path, { method: 'POST' })).status, 405)
      }
    })
  })

  test('is another free one where the usual port is taken', async () => {
    const port = await freePorts()
    const taken = createServer().listen(besides(port), '127.0.0.1')
    await once(taken, 'listening')
    await withService({ PORT: String(port) }, async (service) => {
      assert.ok(![String(port), String(besides(port))].includes(new URL(shownAt(service)).port))
      assert.equal((await at(service, '/-/player/')).status, 200)
    })
    taken.close()
    await withService({ PORT: String(port) }, async (service) => assert.equal(new URL(shownAt(service)).port, String(besides(port))))
  })

  test('is the port also where clients know the server by another name, but not where a proxy maps its address', async () => {
    const port = await freePorts()
    await withService({ PORT: String(port), BASE_URL: `http://localhost:${port}` }, async ({ demo }) => {
      assert.equal(demo.cdn_url, `http://localhost:${besides(port)}/-/links`)
    })
    await withService({ BASE_URL: 'https://media.example.com' }, async ({ demo, log }) => {
      assert.equal(demo.player_url, 'https://media.example.com/-/player')
      assert.ok(log.some((line) => line.includes('set CDN_URL and PLAYER_URL')))
    })
    const hosts = { CDN_URL: 'https://cdn.example.com', PLAYER_URL: 'https://player.example.com' }
    await withService({ BASE_URL: 'https://media.example.com', ...hosts }, async ({ demo, log }) => {
      assert.deepEqual([demo.cdn_url, demo.player_url], Object.values(hosts))
      assert.ok(!log.some((line) => line.includes('set CDN_URL')))
    })
  })
})

test('the usual port is one that browsers go to', () => {
  assert.deepEqual([besides(4000), besides(80), besides(60_000), besides(0)], [14_001, 10_081, 49_999, 0])
})
