import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { library, type OpenEngine } from './contract-library.ts'
import { aDocument } from './memory-feed.ts'

/** What engines suggest to somebody who types, and who mistypes. */
export function suggestContract(name: string, open: OpenEngine): void {
  describe(`${name}: suggestions`, () => {
    it('gives keywords as a whole and words of titles that begin so, the most used first, each with a file that has it', async () => {
      const { suggest } = await library(open, [
        { mediaId: 1, keywords: ['harbour', 'Golden Gate'], title: 'Harvest' },
        { mediaId: 2, keywords: ['Harbour'], title: 'Dawn over the gate', description: 'hard', byline: 'Harry', filename: 'harp.jpg' },
        { mediaId: 3, keywords: ['golden hour', 'old harbour'], suggestedKeywords: ['hare'], copyright: 'Harold' },
      ])
      assert.deepEqual(await suggest('har'), ['harbour 2', 'harvest 1'])
      assert.deepEqual(await suggest('har', { limit: 1 }), ['harbour 2'])
      assert.deepEqual(await suggest('gate'), ['gate 2'])
      assert.deepEqual(await suggest('golden'), ['golden gate 1', 'golden hour 3'])
      assert.deepEqual(await suggest('golden g'), ['golden gate 1'])
      assert.deepEqual(await suggest('golden gate'), ['golden gate 1'])
      assert.deepEqual(await suggest(['da', 'old h']), ['dawn 2', 'old harbour 3'])
      assert.deepEqual(await suggest('x'), [])
    })

    it('finds words without and with their diacritics, of any script', async () => {
      const { suggest } = await library(open, [
        { mediaId: 1, keywords: ['Århus'] },
        { mediaId: 2, keywords: ['Москва'] },
        { mediaId: 3, keywords: ['東京'] },
        { mediaId: 4, keywords: ['📷 day'] },
      ])
      assert.deepEqual((await suggest(['ar', 'år'])).sort(), ['arhus 1', 'århus 1'])
      assert.deepEqual(await suggest('моск'), ['москва 2'])
      assert.deepEqual(await suggest('東'), ['東 京 3'])
      assert.deepEqual(await suggest('📷'), ['📷 day 4'])
    })

    it('knows nothing of files outside of the scope, removed ones and what they had before', async () => {
      const { suggest, commit } = await library(open, [
        { mediaId: 1, folders: [1], keywords: ['harbour', 'haven'] },
        { mediaId: 2, folders: [2], keywords: ['harbour', 'harem'] },
        { mediaId: 3, folders: [1, 2], keywords: ['harp'] },
      ])
      assert.deepEqual((await suggest('ha', { scope: { only: [1] } })).sort(), ['harbour 1', 'harp 3', 'haven 1'])
      assert.deepEqual((await suggest('ha', { scope: { except: [1] } })).sort(), ['harbour 2', 'harem 2', 'harp 3'])
      assert.deepEqual(await suggest('ha', { scope: { only: [9] } }), [])
      assert.deepEqual(await suggest('ha', { scope: { only: [] } }), [])
      assert.deepEqual(await suggest('havem', { matching: 'near', scope: { only: [2] } }), ['harem 2'])
      assert.deepEqual(await suggest('havem', { matching: 'near', scope: { only: [1] } }), ['haven 1'])
      commit({ mediaId: 2, revision: 2, removed: true }, aDocument({ mediaId: 1, revision: 2, folders: [1], keywords: ['sea'] }))
      assert.deepEqual(await suggest('ha'), ['harp 3'])
      assert.deepEqual(await suggest('harbuor', { matching: 'near' }), [])
      assert.deepEqual(await suggest('se'), ['sea 1'])
    })

    it('gives what is within two letters, the nearest first, of these the most used', async () => {
      const { suggest } = await library(open, [
        { mediaId: 1, keywords: ['harbour'], title: 'night' },
        { mediaId: 2, keywords: ['harbours', 'golden gate'] },
        { mediaId: 3, keywords: ['harbours', 'light', 'at'] },
        { mediaId: 4, keywords: ['light'] },
      ])
      const near = (phrase: string, limit = 20) => suggest(phrase, { matching: 'near', limit })
      assert.deepEqual(await near('harbuor'), ['harbour 1'])
      assert.deepEqual(await near('harbour'), ['harbour 1', 'harbours 3'])
      assert.deepEqual(await near('arbours'), ['harbours 3', 'harbour 1'])
      assert.deepEqual(await near('arbours', 1), ['harbours 3'])
      assert.deepEqual(await near('fight'), ['light 4', 'night 1'])
      assert.deepEqual(await near('goldn gat'), ['golden gate 2'])
      assert.deepEqual(await near('hrbr'), [])
      assert.deepEqual(await near('ot'), ['at 3'])
      assert.deepEqual(await near('xy'), [])
      assert.deepEqual(await near('x'), [])
      for (const hostile of ['"', '*', '.*', '(a|b)', '«', '"a"b"c"', '\\', '%_', 'x'.repeat(250), '\ud83d'])
        for (const matching of ['near', 'beginning'] as const) assert.deepEqual(await suggest(hostile, { matching }), [], hostile)
    })
  })
}
