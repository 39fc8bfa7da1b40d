import { generateKeyPairSync } from 'node:crypto'
import { embeddedUrls } from '../../shared/backends/edge/embedded.ts'
import { THUMBNAIL_SECONDS } from '../../shared/library/media/delivery.ts'
import { objectKeys } from '../../shared/library/media/media.ts'
import { toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'
import type { Row } from './report.ts'
import { percentile, timed } from './timing.ts'

/**
 * Signing the thumbnail URLs of a whole page of search results.
 * @param options.urls in one go
 */
export async function run({ urls = 500, rounds = 51 } = {}): Promise<Row[]> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const signer = embeddedUrls({ origin: 'http://127.0.0.1', path: '/-/media', secrets: { get: async () => ({ current: pem }) } })
  const thumbnails = Array.from({ length: urls }, (_, mediaId) =>
    objectKeys.rendition({ companyId: toCompanyId(1), mediaId: toMediaId(mediaId) }, { width: 320, height: 240 }),
  )
  const day = THUMBNAIL_SECONDS * 1000
  let expires = Date.now() + day
  const sign = () => Promise.all(thumbnails.map((key) => signer.sign(key, { expires })))
  const first = await timed(rounds, sign, async () => {
    expires += 1_000
  })
  const again = await timed(rounds, sign)
  return [
    { what: `signing ${urls} thumbnail URLs, p50`, value: percentile(first, 0.5), unit: 'ms', ...(urls === 500 && { atMost: 40 }) },
    { what: `signing ${urls} thumbnail URLs, p95`, value: percentile(first, 0.95), unit: 'ms' },
    { what: 'the same again, p50', value: percentile(again, 0.5), unit: 'ms' },
  ]
}
