import assert from 'node:assert/strict'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { demoIntroduction } from '../../../../infra/local/demo/introduction.ts'
import { startServer } from '../../../../infra/local/server.ts'
import { readSettings } from '../../../../infra/local/settings.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { freePort } from '../../../support/aws/free-port.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { RunningClock } from '../../../support/test-clock.ts'

/** Where the link is in what was said, and its path. */
const LINK = /^Signed in at once: +(http:\/\/\S+?)(\/-\/sign-in\/[\w-]{43})$/m

describe('the link that signs in at the demo', () => {
  let directory: string

  async function start({ isTerminal = true, env = {} }: { isTerminal?: boolean; env?: Record<string, string> } = {}) {
    const [said, log, clock] = [[] as string[], [] as string[], new RunningClock()]
    const surroundings = { log: jsonLog((line) => log.push(line)), say: (text: string) => said.push(text), isTerminal, clock }
    const server = await startServer(readSettings({ PORT: '0', DATA_DIR: directory, ...env }), surroundings)
    return { ...server, log, clock, said: () => said.join('\n') }
  }

  async function terminal(env?: Record<string, string>) {
    const server = await start({ ...(env && { env }) })
    onTestFinished(() => server.stop(1_000))
    const ask = async (path: string, { method = 'GET', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number
        location?: string | undefined
        cookie?: string | undefined
      }>()
      request(`${server.baseUrl}${path}`, { method, headers }, (response) => {
        const { location, 'set-cookie': cookies } = response.headers
        response.resume()
        resolve({ status: response.statusCode!, location, cookie: cookies?.[0] })
      })
        .on('error', reject)
        .end()
      return promise
    }
    return { ...server, ask, link: LINK.exec(server.said()) }
  }

  beforeAll(async () => {
    directory = temporaryDirectory(afterAll)
    const first = await start({ isTerminal: false })
    // A log that is kept holds no link.
    assert.doesNotMatch(first.said() + first.log.join(''), /sign-in/)
    await first.stop(1_000)
  })

  test('is told at each start on a terminal, signs in once, and stands in no log', async () => {
    const { ask, link, said, baseUrl, log } = await terminal()
    assert.ok(said().includes(`Console, for a browser:    ${baseUrl}/console/\n`))
    const [, address, path] = link!
    assert.equal(address, baseUrl)
    assert.equal((await ask(path!, { method: 'HEAD' })).status, 404)
    assert.equal((await ask(path!.slice(0, -1))).status, 404)
    const { cookie = '', ...answer } = await ask(path!)
    assert.deepEqual(answer, { status: 303, location: '/console/' })
    assert.match(cookie, /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    const session = await fetch(`${baseUrl}/session`, { headers: { cookie: cookie.split(';')[0]! } })
    assert.deepEqual([session.status, ((await session.json()) as { username: string }).username], [200, 'demo'])
    assert.deepEqual(await ask(path!), { status: 303, location: '/console/', cookie: undefined })
    assert.ok(!log.join('').includes(path!.slice('/-/sign-in/'.length)))
  })

  test('is for a quarter of an hour', async () => {
    const { ask, link, clock } = await terminal()
    clock.advance(15 * 60)
    assert.equal((await ask(link![2]!)).cookie, undefined)
  })

  test('is of this machine alone: not through a proxy, not from another site, not under another name', async () => {
    const { ask, link, log } = await terminal()
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { host: 'rebound.example' },
    ]) {
      assert.equal((await ask(link![2]!, { headers })).status, 404, JSON.stringify(headers))
    }
    assert.ok(!log.join('').includes(link![2]!))
    assert.ok((await ask(link![2]!)).cookie)
  })

  test('is not told where the server has another address', async () => {
    const { said, link } = await terminal({ BASE_URL: 'https://media.example.com', PORT: String(await freePort()) })
    assert.deepEqual([link, said().includes('Console, for a browser:    https://media.example.com/console/')], [null, true])
  })

  test('stands in the introduction of the first start', () => {
    const demo = { base_url: 'http://127.0.0.1:4000' } as Parameters<typeof demoIntroduction>[0]
    assert.equal(LINK.exec(demoIntroduction(demo, 'SVC', 'demo.json', `/-/sign-in/${'x'.repeat(43)}`))?.[1], 'http://127.0.0.1:4000')
  })
})
