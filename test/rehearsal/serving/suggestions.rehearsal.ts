import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { photo } from '../../../infra/aws/smoke/photo.ts'
import { MIN_CONFIDENCE } from '../../../shared/vocabulary/suggestion.ts'
import { runJson } from '../../infra/admin/run-command.ts'
import { labels } from '../../support/aws/rekognition.ts'
import { linesOf } from '../../support/aws/stack-logs.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { uploadAndImport } from '../../support/uploading.ts'

/** Longest time until keywords are suggested, in milliseconds. */
const PATIENCE = 120_000

describe('suggested keywords', async () => {
  const { service } = await serviceWithAccounts()
  const { company_id: company, folder_id: folder } = service.demo
  const client = await service.client()
  const operator = (...args: string[]) => runJson('', [...args, '--company', String(company), '--stack', service.stack!])
  const expected = labels.filter(({ Confidence }) => Confidence >= MIN_CONFIDENCE).map(({ Name }) => Name)

  const upload = async (name: string) => Number((await uploadAndImport(client, folder, await photo(), name)).id)
  const keywordsOf = async (id: number) => {
    const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: 'suggested_keywords,keywords' } })
    return body.response.media[0]
  }
  async function suggestedOf(id: number): Promise<void> {
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(500)) {
      const found = await keywordsOf(id)
      if (!found?.suggested_keywords?.length) continue
      assert.deepEqual(found, { suggested_keywords: expected, keywords: ['mine'] })
      return
    }
    const lines = (await linesOf(service.stack!)).filter((line) => /suggest/.test(line))
    throw new Error(`no keywords were suggested for ${id}; logged:\n${lines.slice(-10).join('\n')}`)
  }

  test('come once a company wants them: for pictures that are uploaded, and for those that are there when the operator asks', async () => {
    const earlier = await upload('earlier.jpg')
    assert.deepEqual(await operator('keywords', 'enable'), { company_id: company, keywords: true })
    const later = await upload('later.jpg')
    for (const id of [earlier, later]) await client['replace-keywords']({ params: { id }, body: { en: ['mine'] } })
    await suggestedOf(later)
    assert.deepEqual((await keywordsOf(earlier))?.suggested_keywords, [])
    assert.deepEqual(await operator('keywords', 'suggest'), { queued: 1, done: 1 })
    await suggestedOf(earlier)
    assert.deepEqual(await operator('keywords', 'suggest'), { queued: 0, done: 2 })
    assert.deepEqual(await operator('keywords', 'disable'), { company_id: company, keywords: false })
  })
})
