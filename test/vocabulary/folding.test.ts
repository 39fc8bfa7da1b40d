import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { filenameReadings } from '../../shared/backends/search/searchable-text.ts'
import { MAX_TOKEN_CHARACTERS, tokenize } from '../../shared/vocabulary/folding.ts'

describe('tokenize', () => {
  const cases: [text: string, tokens: string[]][] = [
    ['Ærø Straße №5', ['aero', 'strasse', 'no5']],
    ['Acme™ m² ½', ['acme', 'm2', '1', '2']],
    ['İSTANBUL ıspanak', ['istanbul', 'ispanak']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['東京タワーｶﾞﾗｽ tower', ['東', '京', 'タ', 'ワ', 'ー', 'ガ', 'ラ', 'ス', 'tower']],
    ['が か', ['が', 'か']],
    ['हिन्दी की', ['हिन्दी', 'की']],
    ['שָׁלוֹם مُحَمَّد', ['שלום', 'محمد']],
    ['👨‍👩‍👧 ❤️ 🇩🇰 👍🏽', ['👨', '👩', '👧', '❤', '🇩', '🇰', '👍']],
    ['a_b-c.d', ['a', 'b', 'c', 'd']],
    // UAX #29, WB4: format characters are no borders. The zero-width space is one.
    ['har\u00adbour \u2060sea\ufeffside\u200d win\u200cdow\u200e', ['harbour', 'seaside', 'window']],
    ['a\ufe0eb c\u{e0101}d ᠮᠣ\u180bᠩ ក\u17b4ខ e\u034f\u0301f', ['ab', 'cd', 'ᠮᠣᠩ', 'ក', 'ខ', 'ef']],
    ['har\u200bbour', ['har', 'bour']],
    ['\u0000 \ud800 \ue000 ¤ · ¡', []],
  ]
  for (const [text, tokens] of cases) it(`folds ${JSON.stringify(text)}`, () => assert.deepEqual(tokenize(text), tokens))

  it('does the same for composed and decomposed text and for its own tokens, and keeps tokens short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const tokens = tokenize(text)
        assert.deepEqual(tokenize(text.normalize('NFD')), tokens)
        assert.deepEqual(tokenize(tokens.join(' ')), tokens)
        for (const token of tokens) assert.match(token, /^[^\s"*:^(){}]+$/u)
      }),
      { numRuns: 2_000 },
    )
    assert.deepEqual(tokenize('x'.repeat(10_000)), ['x'.repeat(MAX_TOKEN_CHARACTERS)])
    assert.deepEqual(tokenize('𐐨'.repeat(10_000)), ['𐐨'.repeat(MAX_TOKEN_CHARACTERS)])
  })
})

describe('filenameReadings', () => {
  it('takes names apart at changes of case and between letters and digits', () => {
    assert.deepEqual(filenameReadings('beach_1-2.jpg'), ['beach_1-2.jpg'])
    assert.deepEqual(filenameReadings('IMG1234-mySummerHTMLFile.jpg'), ['IMG1234-mySummerHTMLFile.jpg', 'IMG 1234-my Summer HTML File.jpg'])
    assert.deepEqual(filenameReadings('Ärø2024Øst.png'), ['Ärø2024Øst.png', 'Ärø 2024 Øst.png'])
    assert.deepEqual(filenameReadings('my\u00adPhoto\u2060IMG\ufeff12.jpg'), ['myPhotoIMG12.jpg', 'my Photo IMG 12.jpg'])
    assert.deepEqual(filenameReadings(''), [''])
  })
})
