import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { library, type OpenEngine } from './contract-library.ts'

/** What engines find by text. */
export function textContract(name: string, open: OpenEngine): void {
  describe(`${name}: texts`, () => {
    it('finds what one language says, however much another one says', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: ['lorem '.repeat(8_000), 'kurz'], description: ['ipsum '.repeat(8_000), 'knapp'] },
      ])
      assert.deepEqual(await find('kurz knapp'), [1])
    })

    const pairs: [written: string, asked: string][] = [
      ['Smørrebrød på Ærø', 'smorrebrod aero'],
      ['Cafe\u0301', 'café'],
      ['Straße', 'STRASSE'],
      ['İstanbul', 'istanbul'],
      ['ΟΔΟΣ', 'οδός'],
      ['ﬁnale', 'finale'],
      ['ＡＢＣ１２３', 'abc123'],
      ['Łódź', 'lodz'],
      ['東京タワーの夜景', 'タワー'],
      ['ภาษาไทย', 'ไทย'],
      ['हिन्दी', 'हिन्दी'],
      ['party 🎉 time', '🎉'],
      ['👩‍🚀 in space', '👩‍🚀'],
      ['har\u00adbour sea\u2060side win\ufeffdow', 'harbour seaside window'],
      ['pancake', 'pan\u00adcake'],
      ['Aarhus Havn', 'Århus'],
      ['Århus Ø', 'Aarhus'],
      ['Moebel', 'Möbel'],
      ['Möbel und Bänke', '"moebel und"'],
      ['roedspaette', 'rødspætte'],
      ['Rødspætte', 'roedspaette'],
      ['Zuerich', 'ZÜRICH'],
      ['Zürich', 'zuerich'],
      ['Baenke', 'Bänke'],
      ['Bæche', 'Bäche'],
      ['Aalborg Østerå', '"ålborg østerå"'],
    ]
    it('ignores case, diacritics, ligatures, width and composition, in every way of matching', async () => {
      const { find } = await library(
        open,
        pairs.map(([title], n) => ({ mediaId: n + 1, title })),
      )
      for (const [n, [written, asked]] of pairs.entries()) {
        for (const type of ['default', 'strict_and_search', 'wildcards'] as const) {
          assert.ok((await find(asked, type)).includes(n + 1), `${asked} finds ${written} (${type})`)
        }
      }
      assert.deepEqual(await find('京東'), [])
      assert.deepEqual(await find('がか'), [])
    })

    it('finds another spelling, and nothing that only looks like it', async () => {
      const { find } = await library(
        open,
        ['Goethe', 'Göthe', 'Gothe', 'Gothenburg', 'Gøthe', 'Noël', 'Nölke'].map((title, n) => ({ mediaId: n + 1, title })),
      )
      assert.deepEqual(await find('Goethe'), [1, 2, 5])
      assert.deepEqual(await find('goethe', 'strict_and_search'), [1, 2, 5])
      assert.deepEqual(await find('"goethe"', 'wildcards'), [1, 2, 5])
      assert.deepEqual(await find('Göthe'), [1, 2, 3, 4, 5])
      assert.deepEqual(await find('gothe'), [2, 3, 4, 5])
      assert.deepEqual(await find('goe'), [1, 2, 5])
      assert.deepEqual(await find('noël'), [6])
      assert.deepEqual(await find('noel'), [6, 7])
      assert.deepEqual(await find('-goethe'), [3, 4, 6, 7])
      assert.deepEqual(await find('eth', 'wildcards'), [1])
      assert.deepEqual(await find('öth', 'wildcards'), [1, 2, 3, 4, 5])
    })

    it('finds the beginnings of another spelling, in many words and in parts of words', async () => {
      const { find } = await library(open, [
        ...Array.from({ length: 150 }, (_, n) => ({
          mediaId: n + 1,
          title: `möbel${String.fromCodePoint(97 + (n % 25), 97 + Math.floor(n / 25))}`,
        })),
        { mediaId: 200, description: 'Gartenmoebel', title: 'Øl', keywords: ['Gartenmöbel'] },
        { mediaId: 201, title: 'moebel' },
        { mediaId: 202, title: 'mobel' },
      ])
      assert.equal((await find('moeb')).length, 151)
      assert.equal((await find('möb')).length, 152)
      assert.equal((await find('möbel')).length, 152)
      assert.deepEqual(await find('oel'), [200])
      assert.deepEqual(await find('enmoebe', 'wildcards'), [200])
      assert.deepEqual(await find('el gartenmoe', 'wildcards'), [200])
    })

    it('takes any text for text', async () => {
      const { find, ids } = await library(open, [
        { mediaId: 1, title: 'near or and not title' },
        { mediaId: 2, title: '' },
      ])
      assert.deepEqual(await find('NEAR'), [1])
      assert.deepEqual(await find('AND OR NOT'), [1])
      for (const q of ['NEAR(near, 2)', 'title:near', '^near', '{title}: near', "near' OR 1=1 --", '""near""', 'near\u0000', '(near'])
        for (const type of ['default', 'wildcards'] as const) await find(q, type)
      for (const words of [['"'], ['*'], ['\ud800'], ['¤a'], ['x'.repeat(10_000)], Array<string>(1_000).fill('near')]) {
        for (const matching of ['prefix', 'word', 'infix'] as const) await ids({ terms: [{ words, matching, excluded: false }] })
      }
    })

    it('takes hundreds of terms', async () => {
      const words = Array.from({ length: 200 }, (_, n) => `word${n}`)
      const { ids } = await library(open, [{ mediaId: 1, description: words.join(' ') }, { mediaId: 2 }])
      for (const matching of ['prefix', 'word', 'infix'] as const) {
        const terms = words.map((word) => ({ words: [word], matching, excluded: false }))
        assert.deepEqual(await ids({ terms }), [1])
        assert.deepEqual(await ids({ terms: terms.map((term) => ({ ...term, excluded: true })) }), [2])
      }
    })

    it('finds long words by their beginning and survives texts of any length', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'y'.repeat(10_000), description: 'lorem '.repeat(50_000) },
        { mediaId: 2, title: '\u0000\ud800 \ue000\u{1f600}', filename: '../../etc/passwd' },
      ])
      assert.deepEqual(await find('y'.repeat(3_000)), [1])
      assert.deepEqual(await find('lorem'), [1])
      assert.deepEqual(await find('passwd'), [2])
    })
  })
}
