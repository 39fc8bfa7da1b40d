import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { indexed } from '../../../infra/smoke/visit.ts'

const building = { status: 503, body: { code: 'search_index_building' } }
const hits = { status: 200, body: { hits: 1 } }

describe('a search of the smoke test', () => {
  test('waits for the index', async () => {
    const answers = [building, hits]
    assert.deepEqual(await indexed(async () => answers.shift()!, {}), hits.body)
  })

  test('names the command that makes one, where none comes', async () => {
    await assert.rejects(
      indexed(async () => building, {}, 0),
      /searches have no index.* "search rebuild"/,
    )
  })

  test('fails by any other answer at once', async () => {
    await assert.rejects(
      indexed(async () => ({ status: 503, body: { code: 'search_busy' } }), {}),
      /answered with 503.*search_busy/,
    )
  })
})
