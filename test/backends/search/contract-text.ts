import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Term } from '../../../shared/vocabulary/term.ts'
import { library, type OpenEngine } from './contract-library.ts'

/** What engines find by text. */
export function textContract(name: string, open: OpenEngine): void {
  describe(`${name}: words`, () => {
    it('finds a term in every field, and a file only by all of its terms', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'Harbour at dawn', keywords: ['boat'] },
        { mediaId: 2, description: 'A boat' },
        { mediaId: 3, suggestedKeywords: ['boat'], byline: 'Dawn Example' },
        { mediaId: 4, copyright: 'Boat Agency' },
        { mediaId: 5, filename: 'boat_0001.jpg' },
        { mediaId: 6, title: 'Mountain' },
      ])
      assert.deepEqual(await find('boat'), [1, 2, 3, 4, 5])
      assert.deepEqual(await find('dawn+boat'), [1, 3])
      assert.deepEqual(await find('nothing boat'), [])
    })

    it('matches the beginning of words by default, whole words when strict, anything inside of titles, keywords and filenames with wildcards', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'sun' },
        { mediaId: 2, keywords: ['sunset'] },
        { mediaId: 3, filename: 'midsun.jpg' },
        { mediaId: 4, description: 'sunny' },
        { mediaId: 5, description: 'midsun' },
      ])
      assert.deepEqual(await find('sun'), [1, 2, 4])
      assert.deepEqual(await find('sun', 'strict_and_search'), [1])
      assert.deepEqual(await find('sun', 'wildcards'), [1, 2, 3, 4])
      assert.deepEqual(await find('sun*', 'strict_and_search'), [1, 2, 4])
      assert.deepEqual(await find('*sun', 'strict_and_search'), [1, 2, 3, 4])
    })

    it('finds beginnings of few words and of very many, rare and common ones', async () => {
      const files = Array.from({ length: 200 }, (_, n) => ({
        mediaId: n + 1,
        title: n % 2 ? 'harbour' : 'harbour7',
        keywords: [`harbour${n}`, ...(n % 3 ? [] : ['boat'])],
      }))
      const { find, commit } = await library(open, files)
      const found = (word: string) =>
        files.filter(({ title, keywords }) => [title, ...keywords].some((one) => one.startsWith(word))).map(({ mediaId }) => mediaId)
      const boats = found('boat')
      const compare = async () => {
        // Of 202, 12, 112 and one.
        for (const word of ['harbour', 'harbour7', 'harbour1', 'harbour199']) {
          const all = found(word)
          for (const order of ['created', 'relevance'] as const) {
            const ascending = async (q: string) => (await find(q, 'default', { order, limit: 200 })).toSorted((a, b) => a - b)
            assert.deepEqual(await ascending(word), all)
            assert.deepEqual(
              await ascending(`${word} boat`),
              all.filter((id) => boats.includes(id)),
            )
            assert.deepEqual(
              await ascending(`boat -${word}`),
              boats.filter((id) => !all.includes(id)),
            )
          }
        }
      }
      await compare()
      for (const { mediaId } of files.splice(50, 60)) {
        commit({ mediaId, revision: 2, removed: true })
        if (boats.includes(mediaId)) boats.splice(boats.indexOf(mediaId), 1)
      }
      await compare()
    })

    it('finds substrings of one, two and more characters, across words too', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'Kite surfing', keywords: ['xylophone'] },
        { mediaId: 2, filename: 'box.png' },
        { mediaId: 3, description: 'xenon at the end: ox' },
        { mediaId: 4, title: 'Ab' },
      ])
      assert.deepEqual(await find('x', 'wildcards'), [1, 2, 3])
      assert.deepEqual(await find('ox', 'wildcards'), [2, 3])
      assert.deepEqual(await find('yl', 'wildcards'), [1])
      assert.deepEqual(await find('b', 'wildcards'), [2, 4])
      assert.deepEqual(await find('ab', 'wildcards'), [4])
      assert.deepEqual(await find('"te surf"', 'wildcards'), [1])
      assert.deepEqual(await find('"surf kite"', 'wildcards'), [])
      assert.deepEqual(await find('k*te', 'default'), [1])
    })

    it('finds titles and descriptions in each of their languages, and no phrase across two', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: ['red wine', 'rotwein im glas'], description: ['from the south', 'aus dem süden'] },
        { mediaId: 2, title: ['', 'rødvin'], description: [] },
      ])
      assert.deepEqual(await find('wine'), [1])
      assert.deepEqual(await find('rotwein wine'), [1])
      assert.deepEqual(await find('süden south'), [1])
      assert.deepEqual(await find('rødvin'), [2])
      assert.deepEqual(await find('"rotwein im"'), [1])
      assert.deepEqual(await find('"wine rotwein"'), [])
      assert.deepEqual(await find('"south aus"'), [])
      assert.deepEqual(await find('"ine rotw"', 'wildcards'), [])
    })

    it('finds what one language says, however much another one says', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: ['lorem '.repeat(8_000), 'kurz'], description: ['ipsum '.repeat(8_000), 'knapp'] },
      ])
      assert.deepEqual(await find('kurz knapp'), [1])
    })

    it('keeps a phrase together and inside of one keyword', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'red wine glass' },
        { mediaId: 2, title: 'wine red' },
        { mediaId: 3, keywords: ['red', 'wine'] },
        { mediaId: 4, keywords: ['red wine', 'glass'] },
        { mediaId: 5, title: 'red', description: 'wine' },
      ])
      assert.deepEqual(await find('"red wine"'), [1, 4])
      assert.deepEqual(await find('"red wine"', 'wildcards'), [1, 4])
      assert.deepEqual(await find('"wine glass"'), [1])
      assert.deepEqual(await find('red-wi'), [1, 4])
      assert.deepEqual(await find('red wine'), [1, 2, 3, 4, 5])
    })

    it('excludes terms and phrases, alone too', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'sunset beach' },
        { mediaId: 2, title: 'sunset mountain' },
        { mediaId: 3, title: 'beach sunset' },
        { mediaId: 4, title: 'forest' },
      ])
      assert.deepEqual(await find('sunset -beach'), [2])
      assert.deepEqual(await find('sunset -"sunset beach"'), [2, 3])
      assert.deepEqual(await find('-beach'), [2, 4])
      assert.deepEqual(await find('-ount', 'wildcards'), [1, 3, 4])
      assert.deepEqual(await find('sunset -*each'), [2])
      assert.deepEqual(await find('-beach -forest -mountain'), [])
    })

    it('finds the parts of a filename', async () => {
      const { find } = await library(open, [
        { mediaId: 1, filename: 'IMG_1234-SummerParty2024.final.JPG' },
        { mediaId: 2, filename: 'DSC0099.tif' },
      ])
      for (const q of [
        'IMG_1234',
        '1234',
        'summer',
        'party',
        'summerparty2024',
        '2024',
        'final.jpg',
        'IMG_1234-SummerParty2024.final.JPG',
      ]) {
        assert.deepEqual(await find(q, 'strict_and_search'), [1], q)
      }
      for (const q of ['dsc', '0099', 'DSC0099.tif', 'tif']) assert.deepEqual(await find(q, 'strict_and_search'), [2], q)
    })

    it('finds a file by its id, beside files that have the number in their text', async () => {
      const { find } = await library(open, [
        { mediaId: 2024, title: 'Nothing of note' },
        { mediaId: 5, title: 'Party 2024' },
        { mediaId: 6, title: 'Party 2025' },
      ])
      assert.deepEqual(await find('2024'), [5, 2024])
      assert.deepEqual(await find('party 2024'), [5])
      assert.deepEqual(await find('-2024'), [6])
    })
  })

  describe(`${name}: folding`, () => {
    const pairs: [written: string, asked: string][] = [
      ['Smørrebrød på Ærø', 'smorrebrod aero'],
      ['smorrebrod', 'Smørrebrød'],
      ['Ålesund', 'alesund'],
      ['Zürich', 'ZURICH'],
      ['Cafe\u0301', 'café'],
      ['café', 'Cafe\u0301'],
      ['Straße', 'STRASSE'],
      ['İstanbul', 'istanbul'],
      ['ISTANBUL', 'ıstanbul'],
      ['Œuvre', 'oeuvre'],
      ['ΟΔΟΣ', 'οδός'],
      ['Ёлка', 'елка'],
      ['ﬁnale', 'finale'],
      ['ＡＢＣ１２３', 'abc123'],
      ['Łódź', 'lodz'],
      ['東京タワーの夜景', 'タワー'],
      ['東京タワーの夜景', '京タ'],
      ['東京 tower', '東'],
      ['上海市浦东新区', '浦东'],
      ['ภาษาไทย', 'ไทย'],
      ['서울 야경', '서울'],
      ['हिन्दी', 'हिन्दी'],
      ['party 🎉 time', '🎉'],
      ['I ❤️ NY', '❤'],
      ['👩‍🚀 in space', '👩‍🚀'],
      ["l'été", 'ete'],
      ['Acme™ M²', 'acme m2'],
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
  })

  describe(`${name}: hostile queries`, () => {
    it('takes any text for text', async () => {
      const { find, ids } = await library(open, [
        { mediaId: 1, title: 'near or and not title' },
        { mediaId: 2, title: '' },
      ])
      assert.deepEqual(await find('NEAR'), [1])
      assert.deepEqual(await find('AND OR NOT'), [1])
      const awkward = [
        'NEAR(near, 2)',
        'title:near',
        '^near',
        '{title}: near',
        "near' OR 1=1 --",
        'near"',
        '""near""',
        'near\u0000',
        '(near',
        'near;',
      ]
      for (const q of awkward) for (const type of ['default', 'wildcards'] as const) await find(q, type)
      for (const words of [
        ['"'],
        ['*'],
        ['a"b'],
        ['\ud800'],
        ['\ue000'],
        ['¤a'],
        ['x'.repeat(10_000)],
        Array<string>(1_000).fill('near'),
      ]) {
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

    it('ignores terms without letters, digits or symbols', async () => {
      const { ids } = await library(open, [{ mediaId: 1, title: 'salt' }, { mediaId: 2 }])
      const term = (word: string, excluded = false): Term => ({ words: [word], matching: 'prefix', excluded })
      assert.deepEqual(await ids({ terms: [term('salt'), term('&')] }), [1])
      assert.deepEqual(await ids({ terms: [term('salt'), term('…', true)] }), [1])
    })
  })
}
