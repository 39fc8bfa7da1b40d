import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { uploadAndImport } from '../../support/uploading.ts'

const TOKEN = 'a token of metrics'.replaceAll(' ', '-')
const FORWARDED = { 'X-Forwarded-For': '203.0.113.7' }

describe('metrics', () => {
  let open: Service
  let guarded: Service
  beforeAll(async () => {
    open = await startService()
    guarded = await startService({ METRICS_TOKEN: TOKEN })
  })
  afterAll(async () => {
    await Promise.all([open.stop(), guarded.stop()])
  })

  const status = async (service: Service, headers: Record<string, string> = {}) => (await service.request('/metrics', { headers })).status
  const metrics = async () => (await open.request('/metrics')).text()
  const numberOf = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    )

  it('are for this machine, and for whoever has the token', async () => {
    assert.equal(await status(open), 200)
    for (const headers of [FORWARDED, { Forwarded: 'for=203.0.113.7' }, { Via: '1.1 proxy' }, { Origin: 'https://example.com' }]) {
      assert.equal(await status(open, headers as Record<string, string>), 404)
    }
    assert.equal(await status(open, { ...FORWARDED, Authorization: `Bearer ${TOKEN}` }), 404)
    assert.equal(await status(guarded), 200)
    assert.equal(await status(guarded, FORWARDED), 404)
    assert.equal(await status(guarded, { ...FORWARDED, Authorization: `Bearer ${TOKEN}` }), 200)
    assert.equal(await status(guarded, { ...FORWARDED, Authorization: `Bearer ${TOKEN}x` }), 404)
    assert.equal(await status(guarded, { ...FORWARDED, Authorization: `Basic ${TOKEN}` }), 404)
    assert.equal((await open.request('/metrics', { method: 'POST' })).status, 404)
  })

  it('tell how long answers and jobs take, and what waits', async () => {
    const client = await open.client()
    const { id } = (await client['create-folder']({ body: { name: 'Folder', parent: null } })).body
    await uploadAndImport(client, id, Buffer.from('text'), 'text.txt')
    await client['create-zip']({ params: { id }, query: {} })
    const { headers } = await open.request('/metrics')
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const done = 'media_library_job_seconds_count{kind="build-zip"}'
    await expect.poll(async () => numberOf(await metrics(), done), { timeout: 60_000 }).toBeGreaterThan(0)
    const text = await metrics()
    const requests = 'media_library_request_seconds_count{route="POST /folder",method="POST",status="200"}'
    assert.ok(numberOf(text, requests) >= 1, text)
    assert.ok(/^media_library_run_seconds_count\{name="import-media",result="done"\} [1-9]/m.test(text), text)
    assert.equal(numberOf(text, 'media_library_jobs{kind="build-zip",state="failed"}'), 0)
    assert.equal(numberOf(text, 'media_library_oldest_waiting_job_seconds{kind="build-zip"}'), 0)
    assert.ok(numberOf(text, 'media_library_disk_free_bytes') > 0)
    for (const line of text.split('\n').filter(Boolean))
      assert.match(line, /^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [\d.e+-]+)$/)
  })
})
