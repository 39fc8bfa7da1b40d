import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { ClientLimits } from '../../../infra/local/client-limits.ts'
import { type Service, startService } from '../../support/service.ts'

const HOUR = 3_600_000
/** Longest that an answer is waited for, in milliseconds: other tests may have the processor. */
const LONGEST_WAIT = 300_000
/** Ten times as many posts trickle in as there are slots for. */
const POSTS = 100
const LIMITS: ClientLimits = {
  connections: { total: 60, perSource: 30 },
  uploads: { total: 20, perSource: 10 },
  bytesHeld: 256 * 1024 ** 2,
  pace: { beforeFileMs: HOUR, windowMs: HOUR, windowBytes: 1 },
}

/** Posts that never end, each begun anew when it is cut off. */
class Trickle {
  readonly #url: URL
  readonly #open = new Set<Socket>()
  #ending = false
  /** What the server answered to posts. */
  readonly #answers = new Map<string, number>()

  constructor(baseUrl: string, posts: number) {
    this.#url = new URL(baseUrl)
    for (let post = 0; post < posts; post++) this.#post()
  }

  /** Waits until a post was answered so. */
  async answered(code: string): Promise<void> {
    for (let waited = 0; !this.#answers.has(code); waited += 20) {
      if (waited > LONGEST_WAIT) throw new Error(`no post was answered with ${code}: ${JSON.stringify([...this.#answers])}`)
      await sleep(20)
    }
  }

  end(): void {
    this.#ending = true
    for (const socket of this.#open) socket.destroy()
  }

  async #post(): Promise<void> {
    while (!this.#ending) {
      const socket = connect(Number(this.#url.port), this.#url.hostname)
      this.#open.add(socket)
      const trickle = setInterval(() => socket.write('x'), 50)
      socket.on('error', () => undefined).setEncoding('utf8')
      socket.on('data', (text: string) => {
        const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
        if (code) this.#answers.set(code, (this.#answers.get(code) ?? 0) + 1)
      })
      socket.write(
        'POST /-/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99999\r\n\r\n--b\r\n',
      )
      // Also after an error, which is what a connection without a place ends with.
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(trickle)
      this.#open.delete(socket)
      await sleep(100)
    }
  }
}

describe('the single-machine server while posts trickle in', () => {
  let service: Service
  let trickle: Trickle | undefined
  const answersTo = (path: string, authorization: string) =>
    service.request(path, { headers: { authorization, connection: 'close' } }).then(({ status }) => status)

  async function trickled(environment: Record<string, string>, limits: ClientLimits): Promise<void> {
    service = await startService(environment, limits)
    trickle = new Trickle(service.baseUrl, POSTS)
  }
  async function end(): Promise<void> {
    trickle?.end()
    await service.stop()
  }

  describe('that never end', () => {
    beforeAll(() => trickled({}, LIMITS))
    afterAll(end)

    it('goes on answering other requests, from the same address too', async () => {
      const authorization = await service.signIn()
      await trickle?.answered('SlowDown')
      for (let round = 0; round < 20; round++) assert.equal(await answersTo('/folder', authorization), 200)
    })
  })
})
