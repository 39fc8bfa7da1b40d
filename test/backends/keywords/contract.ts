import assert from 'node:assert/strict'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type KeywordSuggester, PictureRefused, SuggesterUnavailable } from '../../../shared/backends/keywords/port.ts'

/** A suggester, with the bucket that has its pictures. */
export interface SuggesterUnderTest {
  suggester: KeywordSuggester
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** From now on nobody answers. */
  fail(): Promise<void>
  close(): Promise<void>
}

/** @param side in pixels */
export const picture = (format: 'jpeg' | 'png', side = 200) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'navy' } })
    .toFormat(format)
    .toBuffer()

/** What every adapter that suggests keywords promises. */
export function suggesterContract(name: string, open: () => Promise<SuggesterUnderTest>): void {
  describe(`suggester contract: ${name}`, () => {
    let under: SuggesterUnderTest
    beforeAll(async () => {
      under = await open()
    })
    afterAll(() => under.close())

    test.each(['jpeg', 'png'] as const)('a %s gets keywords, each with its confidence in percent', async (format) => {
      const key = `7/8/renditions/${format}`
      await under.put(key, await picture(format), `image/${format}`)
      const suggestions = await under.suggester.suggest({ key })
      assert.ok(suggestions && suggestions.length > 0)
      for (const { keyword, confidence } of suggestions) {
        assert.ok(keyword !== '' && confidence >= 0 && confidence <= 100, JSON.stringify({ keyword, confidence }))
      }
    })

    test.each([
      ['that is none', async () => Buffer.from('no picture')],
      ['of a few pixels', () => picture('jpeg', 20)],
    ])('a picture %s is refused', async (what, bytes) => {
      const key = `7/9/renditions/${what.length}`
      await under.put(key, await bytes(), 'image/jpeg')
      await assert.rejects(under.suggester.suggest({ key }), PictureRefused)
    })

    test('a picture that is not there is no refusal: it may be there later', async () => {
      await assert.rejects(under.suggester.suggest({ key: '7/10/renditions/none' }), SuggesterUnavailable)
    })

    test('several are suggested for at the same time', async () => {
      const key = '7/11/renditions/many'
      await under.put(key, await picture('jpeg'), 'image/jpeg')
      const answers = await Promise.all(Array.from({ length: 8 }, () => under.suggester.suggest({ key })))
      for (const answer of answers) assert.deepEqual(answer, answers[0])
    })

    test('nobody there: that may pass', async () => {
      const key = '7/12/renditions/down'
      await under.put(key, await picture('jpeg'), 'image/jpeg')
      await under.fail()
      await assert.rejects(under.suggester.suggest({ key }), SuggesterUnavailable)
    })
  })
}
