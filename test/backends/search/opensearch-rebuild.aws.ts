import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Client } from '@opensearch-project/opensearch'
import { describe, onTestFinished, test } from 'vitest'
import { listening } from '../../support/listening.ts'
import { COMPANY } from '../../support/media.ts'
import { aDocument } from './memory-feed.ts'
import { all, setUp } from './opensearch-workplace.ts'

const silently = () => {}

/**
 * What goes wrong with a request: nobody gets it, its answer says that it failed though it did not, or its answer is lost. After the first two
 * a run ends, as one whose process does.
 */
type Fault = 'refused' | 'refused after it was done' | 'answer lost'

/** A client of the engine with a fault in one of its requests. @param position of the request, from 0 */
async function faultyClient(fault: Fault, position: number) {
  let requests = 0
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const isHit = requests++ === position
    const refuse = () => void response.writeHead(418).end()
    if (isHit && fault === 'refused') return refuse()
    const { host: _, connection: __, ...headers } = request.headers
    const answer = await fetch(new URL(request.url!, process.env.OPENSEARCH_URL), {
      method: request.method!,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    const text = await answer.text()
    if (isHit && fault === 'answer lost') return void request.socket.destroy()
    if (isHit) return refuse()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text)
  })
  const { url, stop } = await listening(server)
  onTestFinished(stop)
  const client = new Client({ node: url, maxRetries: 0 })
  onTestFinished(() => client.close())
  return { client, wasHit: () => requests > position }
}

describe('a rebuild', () => {
  for (const fault of ['refused', 'refused after it was done', 'answer lost'] as const) {
    test(`goes on, whichever of its requests was the last: ${fault}`, async () => {
      const { admin, adminOf, scan, found, indexes } = await setUp()
      await admin.rebuild(scan, silently)
      for (let position = 0; ; position++) {
        const { client, wasHit } = await faultyClient(fault, position)
        const run = await adminOf(client)
          .rebuild(scan, silently)
          .catch((error: Error) => error)
        if (!wasHit()) break
        assert.ok(fault !== 'answer lost' || !(run instanceof Error), `request ${position}: ${run}`)
        assert.deepEqual(await found(), all)
        if (run instanceof Error) await admin.rebuild(scan, silently)
        assert.deepEqual(await found(), all)
        assert.equal((await indexes()).length, 1)
      }
    })
  }

  test('that runs twice at once builds one index', async () => {
    const { admin, scan, found, indexes } = await setUp()
    await admin.rebuild(scan, silently)
    const runs = await Promise.allSettled([admin.rebuild(scan, silently), admin.rebuild(scan, silently)])
    // Where one begins so late that it builds an index of its own, the other may be overtaken.
    const failures = runs.flatMap((run) => (run.status === 'rejected' ? [String(run.reason)] : []))
    assert.ok(failures.length < 2 && failures.every((failure) => /Another rebuild has replaced/.test(failure)), failures.join())
    assert.deepEqual(await found(), all)
    assert.equal((await indexes()).length, 1)
  })

  test('that another one has overtaken ends, and leaves the newer index alone', async () => {
    const { admin, scan, found, indexes } = await setUp()
    let pages = 0
    const overtaken = async (cursor: string | undefined) => {
      if (++pages === 2) for (let run = 1; run <= 2; run++) await admin.rebuild(scan, silently)
      return scan(cursor)
    }
    await assert.rejects(admin.rebuild(overtaken, silently), /Another rebuild has replaced/)
    assert.deepEqual(await found(), all)
    assert.equal((await indexes()).length, 1)
  })

  test('does not replace the index by one that the engine refuses most files of', async () => {
    const { admin, scan, found } = await setUp()
    await admin.rebuild(scan, silently)
    const poison = Array.from({ length: 1_001 }, (_, n) => ({ companyId: COMPANY, change: aDocument({ mediaId: n, width: 1e12 }) }))
    await assert.rejects(
      admin.rebuild(async () => ({ changes: poison }), silently),
      /refuses too many files, media 0 and 1000 others: 400 .*stays/,
    )
    assert.deepEqual(await found(), all)
  })
})
