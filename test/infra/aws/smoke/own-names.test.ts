import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, onTestFinished, test } from 'vitest'
import { astray, leading, missingRecords, ownNames } from '../../../../infra/aws/smoke/own-names.ts'
import { listening } from '../../../support/listening.ts'

const outputs = new Map([
  ['BaseUrl', 'https://api.example.com'],
  ['ApiTarget', 'd1.cloudfront.net'],
  ['DeliveryUrl', 'https://files.example.com'],
  ['DeliveryTarget', 'd2.cloudfront.net'],
  ['CdnUrl', 'https://d3.cloudfront.net'],
  ['CdnTarget', 'd3.cloudfront.net'],
  ['PlayerUrl', 'https://d3.cloudfront.net'],
  ['PlayerTarget', 'd3.cloudfront.net'],
])
const names = [
  { name: 'api.example.com', target: 'd1.cloudfront.net' },
  { name: 'files.example.com', target: 'd2.cloudfront.net' },
]

describe('host names of the operator', () => {
  test('are those that differ from the names of CloudFront', () => {
    assert.deepEqual(ownNames(outputs), names)
  })

  test('lead to CloudFront where it answers; of others the records are said', async () => {
    const answers = (by: Record<string, string | undefined>) =>
      (async (url: string) => {
        const via = by[new URL(url).host]
        if (via === undefined) throw new TypeError('fetch failed')
        return new Response(null, { headers: { via } })
      }) as unknown as typeof fetch
    const cloudFront = '1.1 0123456789abcdef.cloudfront.net (CloudFront)'
    assert.deepEqual(await astray(names, answers({ 'api.example.com': cloudFront, 'files.example.com': cloudFront })), [])
    assert.deepEqual(await astray(names, answers({ 'files.example.com': '1.1 proxy' })), names)
    const missing = await astray(names, answers({ 'api.example.com': cloudFront }))
    assert.deepEqual(missingRecords(missing).slice(1), ['  CNAME files.example.com -> d2.cloudfront.net'])
    assert.deepEqual(missingRecords([]), [])
  })

  test('that lead nowhere are reached at their targets, by their own names, as long as that is wanted', async () => {
    const server = await listening(createServer((request, response) => response.setHeader('connection', 'close').end(request.headers.host)))
    onTestFinished(() => server.stop())
    const url = `http://api.library.test:${server.port}/`
    {
      using _ = leading([{ name: 'api.library.test', target: 'localhost' }])
      assert.equal(await (await fetch(url)).text(), new URL(url).host)
    }
    await assert.rejects(fetch(url), /fetch failed/)
  })
})
