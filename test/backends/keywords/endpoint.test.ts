import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, onTestFinished, test } from 'vitest'
import { keywordsEndpoint } from '../../../shared/backends/keywords/endpoint.ts'
import { PictureRefused, SuggesterUnavailable } from '../../../shared/backends/keywords/port.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type Answer, answering } from '../../support/answering.ts'
import { hostileAnswers, json, plain } from '../../support/hostile-answers.ts'
import { startKeywordsService } from '../../support/keywords-service.ts'
import { openTestObjects } from '../../support/library.ts'

const KEY = '7/8/renditions/1200x800'

/** An endpoint that gives one answer after the other, and the bucket with one picture. */
async function endpoint(answers: Answer[]) {
  const { endpoint: baseUrl, received } = await answering(...answers)
  const media = openTestObjects()
  await media.put(KEY, Buffer.from('the picture'), { contentType: 'image/jpeg' })
  const log: string[] = []
  return { suggester: keywordsEndpoint({ baseUrl, media, log: jsonLog((line) => log.push(line)) }), received, log }
}

const keywords = (...list: unknown[]) => json({ keywords: list })

/** @param side in pixels */
const picture = (format: 'jpeg' | 'png', side = 200) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'navy' } })
    .toFormat(format)
    .toBuffer()

describe('an HTTP endpoint that suggests keywords', () => {
  test('looks at JPEG and PNG, refuses what is no picture or too small, and may be down', async () => {
    const service = await startKeywordsService()
    onTestFinished(() => service.stop())
    const media = openTestObjects()
    const suggester = keywordsEndpoint({ baseUrl: service.url, media, log: jsonLog(() => undefined) })
    const suggest = async (bytes: Buffer, contentType = 'image/jpeg') => {
      await media.put(KEY, bytes, { contentType })
      return suggester.suggest({ key: KEY })
    }
    assert.deepEqual(await suggest(await picture('jpeg')), service.suggests)
    assert.deepEqual(await suggest(await picture('png'), 'image/png'), service.suggests)
    for (const bytes of [Buffer.from('no picture'), await picture('jpeg', 20)]) await assert.rejects(suggest(bytes), PictureRefused)
    // A picture that is not there may be there later.
    await assert.rejects(suggester.suggest({ key: '7/10/renditions/none' }), SuggesterUnavailable)
    await service.stop()
    await assert.rejects(suggest(await picture('jpeg')), SuggesterUnavailable)
  })

  test('gets the bytes of the picture, and nothing that names it', async () => {
    const { suggester, received } = await endpoint([keywords({ keyword: 'Boat', confidence: 97.5, box: [1, 2] })])
    assert.deepEqual(await suggester.suggest({ key: KEY }), [{ keyword: 'Boat', confidence: 97.5 }])
    assert.deepEqual(received, [{ method: 'POST', url: '/keywords', authorization: '', body: 'the picture' }])
  })

  test.each([400, 415])('refuses the picture by a %i', async (status) => {
    const { suggester, received } = await endpoint([json({ title: 'no' }, status)])
    await assert.rejects(suggester.suggest({ key: KEY }), PictureRefused)
    assert.equal(received.length, 1)
  })

  test('that answers HTML is away, and the log has nothing of it', async () => {
    const { suggester, log } = await endpoint([hostileAnswers['answers HTML']])
    await assert.rejects(suggester.suggest({ key: KEY }), SuggesterUnavailable)
    assert.ok(!log.join().includes('Welcome'))
  })

  const boat = { keyword: 'Boat', confidence: 90 }
  test.each<[what: string, answer: Answer]>([
    ['more keywords than it should', keywords(...Array.from({ length: 101 }, () => boat))],
    ['a confidence without end', plain(200, 'application/json', '{"keywords":[{"keyword":"Boat","confidence":1e999}]}')],
    ['a confidence that is text', keywords({ ...boat, confidence: '90' })],
    ['a confidence over 100', keywords({ ...boat, confidence: 100.01 })],
    ['control characters', keywords(boat, { ...boat, keyword: 'Bo\u0000at' })],
    ['a keyword of 501 characters', keywords({ ...boat, keyword: 'x'.repeat(501) })],
    ['a list alone', json([boat])],
    ['that there is no such operation', json({ title: 'none' }, 404)],
  ])('%s: nothing of it is taken', async (_, answer) => {
    const { suggester } = await endpoint([answer])
    await assert.rejects(suggester.suggest({ key: KEY }), SuggesterUnavailable)
  })
})
