import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import type { endpoints } from '../../../functions/endpoints.ts'
import type { ApiClient } from '../../../shared/http/declaration/client.ts'
import { type KeywordsService, startKeywordsService } from '../../support/keywords-service.ts'
import { type Service, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { uploadAndImport } from '../../support/uploading.ts'
import { runJson } from '../admin/run-command.ts'

/** The circuit breaker's time, in milliseconds. */
const BREAK = 10_000

const picture = (width: number) =>
  sharp({ create: { width, height: 200, channels: 3, background: 'navy' } })
    .jpeg()
    .toBuffer()

describe('keywords that a service of the operator suggests', () => {
  let keywords: KeywordsService
  let service: Service
  let client: ApiClient<typeof endpoints>

  beforeEach(async () => {
    keywords = await startKeywordsService()
    keywords.suggests = [
      { keyword: 'Lighthouse', confidence: 95 },
      { keyword: 'Beacon', confidence: 99 },
      { keyword: 'Tower', confidence: 79 },
    ]
    service = await startService({ KEYWORDS_URL: keywords.url })
    client = await service.client()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await service.stop()
    await keywords.stop()
  })

  const uploaded = async (width = 300) => uploadAndImport(client, service.demo.folder_id, await picture(width), `picture-${width}.jpg`)
  const found = async (q: string) => {
    const { body } = await client['search-media']({ query: { q, return_values: ['unique_media_id', 'suggested_keywords', 'keywords'] } })
    return body.response.media
  }
  const admin = (...args: string[]) => runJson(service.directory!, [...args, '--company', String(service.demo.company_id)])
  const isResting = async () => {
    const { problems = [] } = (await (await service.request('/healthz')).json()) as { problems?: { code: string }[] }
    return problems.some(({ code }) => code === 'jobs_failed')
  }

  test('are found by search within seconds, and are never among the own keywords of the file, nor in its download', async () => {
    const { id } = await uploaded()
    await until(async () => (await found('lighthouse')).length === 1)
    const [hit] = await found('beacon')
    assert.deepEqual(hit, { unique_media_id: id, suggested_keywords: ['Beacon', 'Lighthouse'], keywords: [] })
    assert.deepEqual(await found('tower'), [], 'what is uncertain is left out')
    assert.deepEqual(keywords.seen, ['300x200'])

    const { body } = await client['get-media']({ params: { id } })
    assert.ok('metadata' in body)
    assert.deepEqual(body.metadata.keywords, {})
    assert.equal((await client['get-version']({ params: { id } })).body.version, 1)

    await client['replace-keywords']({ params: { id }, body: { en: ['Quay'] } })
    assert.deepEqual((await found('lighthouse'))[0]?.keywords, ['Quay'], 'an edit keeps those that were suggested')
    let bytes = Buffer.alloc(0)
    await until(async () => {
      const { status, body } = await client['get-download-location']({ params: { id }, query: {} })
      if (status !== 200) return false
      bytes = Buffer.from(await (await fetch(body.url)).arrayBuffer())
      return true
    })
    assert.ok(bytes.includes('Quay'))
    assert.ok(!bytes.includes('Lighthouse') && !bytes.includes('Beacon'))
  })

  test('are for companies that opted in alone, and for pictures that are there when the operator asks', async () => {
    assert.deepEqual(await admin('keywords', 'disable'), { company_id: service.demo.company_id, keywords: false })
    const first = await uploaded(300)
    await admin('keywords', 'enable')
    const second = await uploaded(400)
    await until(async () => (await found('lighthouse')).length === 1)
    assert.deepEqual(keywords.seen, ['400x200'])
    assert.deepEqual(await admin('keywords', 'suggest'), { queued: 1, done: 1 })
    await until(async () => (await found('lighthouse')).length === 2)
    assert.deepEqual(new Set((await found('lighthouse')).map((hit) => hit.unique_media_id)), new Set([first.id, second.id]))
    // One that the service refuses has none, and counts as looked at.
    const small = await uploaded(20)
    await until(async () => (await admin('keywords', 'suggest')).done === 3)
    assert.deepEqual((await found('picture-20'))[0], { unique_media_id: small.id, suggested_keywords: [], keywords: [] })
  })

  test('come after an outage, of which the operator learns; uploads and searches go on meanwhile', async () => {
    keywords.isDown = true
    const { id } = await uploaded()
    await until(async () => {
      service.advance(300)
      await sleep(20)
      return isResting()
    })
    assert.deepEqual(
      (await found('picture')).map((hit) => hit.unique_media_id),
      [id],
    )
    keywords.isDown = false
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + BREAK })
    await until(async () => {
      service.advance(60)
      return (await found('lighthouse')).length === 1
    })
    await until(async () => !(await isResting()))
  })
})
