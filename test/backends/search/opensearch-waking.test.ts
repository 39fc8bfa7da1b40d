import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client } from '@opensearch-project/opensearch'
import { describe, onTestFinished, test } from 'vitest'
import { openSearchClient } from '../../../shared/backends/search/opensearch/client.ts'
import { openSearchEngine } from '../../../shared/backends/search/opensearch/engine.ts'
import { openSearchIndexer } from '../../../shared/backends/search/opensearch/indexer.ts'
import { IndexBehind } from '../../../shared/backends/search/port.ts'
import { listening } from '../../support/listening.ts'
import { everything } from './contract-library.ts'
import { aDocument } from './memory-feed.ts'

type Answer = (request: IncomingMessage, body: string) => { status?: number; json: unknown } | 'nothing' | 'hang up'

/** What stands in for a collection, where a real engine can't be brought to answer so. */
async function collection(answer: Answer): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const given = answer(request, await text(request))
    if (given === 'hang up') return void request.socket.destroy()
    if (given === 'nothing') return
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(given.json))
  })
  const { url, stop } = await listening(server)
  onTestFinished(stop)
  return url
}

async function plainClient(answer: Answer): Promise<Client> {
  return new Client({ node: await collection(answer), maxRetries: 0 })
}

const hits = { json: { hits: { total: { value: 1, relation: 'eq' }, hits: [{ sort: [1, 42] }] } } }
const found = { total: 1, mediaIds: [42] }
const changes = [1, 2, 3].map((mediaId) => ({ companyId: 5, change: aDocument({ mediaId }) }))

describe('a search while the engine wakes', () => {
  for (const [what, refusal] of [
    ['is busy', { status: 429, json: {} }],
    ['has no capacity yet', { status: 503, json: {} }],
    ['drops the connection', 'hang up'],
  ] as const) {
    test(`is asked again when it ${what}`, async () => {
      let requests = 0
      const client = await plainClient(() => (++requests < 3 ? refusal : hits))
      assert.deepEqual(await openSearchEngine({ client, maxWaitMs: 60_000 }).search(5, everything), found)
      assert.equal(requests, 3)
    })
  }

  for (const [what, answer] of [
    ['keeps refusing', { status: 503, json: {} }],
    ['answers nothing', 'nothing'],
  ] as const) {
    test(`is given up within its maxWaitMs when it ${what}`, async () => {
      const client = await plainClient(() => answer)
      await assert.rejects(openSearchEngine({ client, maxWaitMs: 600 }).search(5, everything), IndexBehind)
    })
  }

  test('fails at once when the engine refuses it for another reason', async () => {
    let requests = 0
    const client = await plainClient(() => {
      requests++
      return { status: 403, json: { error: 'not allowed' } }
    })
    await assert.rejects(openSearchEngine({ client, maxWaitMs: 60_000 }).search(5, everything), { name: 'ResponseError', statusCode: 403 })
    assert.equal(requests, 1)
  })
})

describe('documents that are sent', () => {
  /** A collection with one index, and how it takes each document. @param replaces has a rebuild replace the index as soon as its name is told */
  function index(take: (id: string) => number, { replaces = false } = {}) {
    const sent: string[][] = []
    let name = 'media-1'
    const answer: Answer = (request, body) => {
      if (request.url?.startsWith('/_alias')) {
        const json = { [name]: { aliases: { media: {} } } }
        if (replaces) name = 'media-2'
        return { json }
      }
      const ids = body.split('\n').flatMap((line) => (line.startsWith('{"index"') ? [String(JSON.parse(line).index._id)] : []))
      sent.push(ids)
      const items = ids.map((id) => ({
        index: { _id: id, status: take(id), ...(take(id) >= 400 && { error: { type: 'e', reason: 'r' } }) },
      }))
      return { json: { items } }
    }
    return { answer, sent }
  }

  test('come again when the engine was too busy for them, and no others do', async () => {
    let busy = 2
    const { answer, sent } = index((id) => (id === '5-2' && busy > 0 ? 429 : 201))
    const counted: Answer = (request, body) => {
      const given = answer(request, body)
      if (request.url?.startsWith('/_bulk')) busy--
      return given
    }
    assert.deepEqual(await openSearchIndexer({ client: await plainClient(counted), maxWaitMs: 60_000 }).index(changes), [])
    assert.deepEqual(sent, [['5-1', '5-2', '5-3'], ['5-2'], ['5-2']])
  })

  test('are told of when the engine refuses them; what it has already is fine', async () => {
    const { answer } = index((id) => ({ '5-1': 409, '5-2': 400, '5-3': 201 })[id]!)
    const refused = await openSearchIndexer({ client: await plainClient(answer), maxWaitMs: 60_000 }).index(changes)
    assert.deepEqual(
      refused.map(({ change, reason }) => [change.mediaId, reason]),
      [[2, '400 e: r']],
    )
  })

  for (const status of [403, 404]) {
    test(`are no concern of an index that a rebuild has replaced meanwhile (${status})`, async () => {
      const { answer } = index(() => status, { replaces: true })
      assert.deepEqual(await openSearchIndexer({ client: await plainClient(answer), maxWaitMs: 60_000 }).index(changes), [])
    })

    test(`come again when an index that is in use takes none (${status})`, async () => {
      const { answer } = index(() => status)
      const indexer = openSearchIndexer({ client: await plainClient(answer), maxWaitMs: 60_000 })
      await assert.rejects(indexer.index(changes), /takes no documents into media-1, which is in use/)
    })
  }
})

test('requests to a collection are signed for it', async () => {
  process.env.AWS_ACCESS_KEY_ID = 'AKID'
  process.env.AWS_SECRET_ACCESS_KEY = 'secret'
  const seen: IncomingMessage['headers'][] = []
  const endpoint = await collection((request) => {
    seen.push(request.headers)
    return hits
  })
  await openSearchEngine({ client: openSearchClient({ endpoint, region: 'eu-west-1' }), maxWaitMs: 60_000 }).search(5, everything)
  assert.match(seen[0]!.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/aoss\/aws4_request, /)
  assert.match(String(seen[0]!['x-amz-content-sha256']), /^[0-9a-f]{64}$/)
})
