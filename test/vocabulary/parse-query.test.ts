import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { FoldedTags } from '../../shared/library/search/folded-tags.ts'
import { tokenize } from '../../shared/vocabulary/folding.ts'
import { MAX_TERMS, type ParsedTerm, parseQuery } from '../../shared/vocabulary/parse-query.ts'
import { tooMuchWork } from '../../shared/vocabulary/query-work.ts'

/** Terms in short: `-` excluded, words joined by spaces, `…` where the match may go on, `#` with the id. */
function short(terms: readonly ParsedTerm[]): string[] {
  return terms.map(({ words, matching, excluded, mediaId }) => {
    const text = words.join(' ')
    const matched = { word: text, prefix: `${text}…`, infix: `…${text}…` }[matching]
    return `${excluded ? '-' : ''}${matched}${mediaId === undefined ? '' : `#${mediaId}`}`
  })
}

describe('parseQuery', () => {
  const cases: [query: string, terms: string[]][] = [
    ['', []],
    ['sun', ['sun…']],
    ['sun beach', ['sun…', 'beach…']],
    ['sun+beach++-sea', ['sun…', 'beach…', '-sea…']],
    ['  sun\t\nbeach ', ['sun…', 'beach…']],
    ['- * + -* "" -"" & -…', []],
    ['- sun', ['sun…']],
    ['--sun', ['-sun…']],
    ['"sun set" sea', ['sun set…', 'sea…']],
    ['-"sun set"', ['-sun set…']],
    ['"sun set', ['sun set…']],
    ['sun"set sea"x', ['sun…', 'set sea…', 'x…']],
    ['“sun set” „sea shore“', ['sun set…', 'sea shore…']],
    ['foo-bar IMG_1234.jpg 2024/05', ['foo bar…', 'IMG 1234 jpg…', '2024 05…']],
    ['sun*', ['sun…']],
    ['*sun *sun* -*sun', ['…sun…', '…sun…', '-…sun…']],
    ['s*n', ['…s…', '…n…']],
    ['-s*n', ['-…s n…']],
    ['123 -45 0 2147483647 2147483648 "77"', ['123…#123', '-45…#45', '0…', '2147483647…#2147483647', '2147483648…', '77…#77']],
    ['Cafe\u0301', ['Café…']],
    ['東京 👩‍🚀 हिन्दी', ['東京…', '👩🚀…', 'हिन्दी…']],
    ['har\u00adbour \ufeff-sea\ufeffside "win\u2060dow \u200bsill" \ufeff77', ['harbour…', '-seaside…', 'window sill…', '77…#77']],
    ['har\u200bbour', ['har bour…']],
  ]
  for (const [query, terms] of cases)
    it(`reads ${JSON.stringify(query)}`, () => assert.deepEqual(short(parseQuery(query, 'default')), terms))

  it('matches as the type of the query says, unless a star says otherwise', () => {
    assert.deepEqual(short(parseQuery('sun "a b" s* *s', 'strict_and_search')), ['sun', 'a b', 's…', '…s…'])
    assert.deepEqual(short(parseQuery('sun "a b" s* *s', 'wildcards')), ['…sun…', '…a b…', '…s…', '…s…'])
  })

  it('never throws and never yields more than it may, nor a term that could match nothing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'ab1-+* "_.é東“'), maxLength: 80 }),
    )
    fc.assert(
      fc.property(text, fc.constantFrom('default', 'strict_and_search', 'wildcards' as const), (query, type) => {
        const terms = parseQuery(query, type)
        assert.ok(terms.length <= MAX_TERMS)
        for (const { words } of terms) assert.ok(words.length > 0 && words.every((word) => tokenize(word).length > 0))
        assert.deepEqual(parseQuery(query.replaceAll(' ', '+'), type), terms)
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads no more than the limits of an endless query', () => {
    assert.equal(parseQuery('a b '.repeat(100_000), 'default').length, MAX_TERMS)
    assert.equal(parseQuery('-'.repeat(1_000_000), 'default').length, 0)
    assert.ok((parseQuery(`"${'a '.repeat(100_000)}`, 'wildcards')[0]?.words.length ?? 0) < 4_096)
  })
})

describe('the work of a query', () => {
  const isTooMuch = (query: string, type: 'default' | 'strict_and_search' | 'wildcards' = 'wildcards') =>
    tooMuchWork(parseQuery(query, type)) !== undefined
  it('takes two parts of words of less than three characters, however often they are named', () => {
    assert.ok(!isTooMuch('ab cd water'))
    assert.ok(!isTooMuch('ab cd AB Cd ab'))
    assert.ok(isTooMuch('ab cd ef'))
    assert.ok(isTooMuch('ab c d'))
    assert.ok(isTooMuch('ab -cd -ef'))
    assert.ok(isTooMuch('*ab *cd *ef', 'default'))
    assert.ok(isTooMuch('æ ß œ ij'.normalize('NFD')) === isTooMuch('ae ss oe ij'))
  })
  it('takes substrings of some hundred characters in all', () => {
    const long = (count: number) => Array.from({ length: count }, (_, n) => `${n}`.padStart(20, 'x')).join(' ')
    assert.ok(!isTooMuch(long(25)))
    assert.ok(isTooMuch(long(26)))
    assert.ok(!isTooMuch(long(26), 'default'))
    assert.ok(!isTooMuch(`"${long(100)}"`), 'of one term only so much is compared')
  })
  it('takes phrases of 64 words in all, and any number of words that are no phrase', () => {
    const phrase = (first: number, words: number) => `"${Array.from({ length: words }, (_, n) => `w${first + n}`).join(' ')}"`
    assert.ok(!isTooMuch(phrase(0, 64), 'default'))
    assert.ok(!isTooMuch(phrase(0, 1_000), 'default'), 'of one term only so much is compared')
    assert.ok(!isTooMuch(`${phrase(0, 32)} ${phrase(1, 32)}`, 'strict_and_search'))
    assert.ok(isTooMuch(`${phrase(0, 32)} ${phrase(1, 33)}`, 'strict_and_search'))
    assert.ok(isTooMuch(`-${phrase(0, 32)} ${phrase(1, 33)}`, 'default'))
    assert.ok(!isTooMuch(`${phrase(0, 64)} ${phrase(0, 64)} ${Array.from({ length: 30 }, (_, n) => `v${n}`).join(' ')}`, 'default'))
    assert.ok(!isTooMuch('DSC_0001.jpg IMG_0002.jpg foo-bar', 'default'))
  })
})

describe('tags of folders', () => {
  const matches = (query: string, tag: string, type: 'default' | 'strict_and_search' | 'wildcards' = 'default') => {
    const [term] = parseQuery(query, type)
    return term !== undefined && new FoldedTags(['other', tag, 'another']).matching(term).join() === '1'
  }
  it('matches tags as keywords are matched', () => {
    assert.ok(matches('smor', 'Smørrebrød'))
    assert.ok(!matches('smor', 'Smørrebrød', 'strict_and_search'))
    assert.ok(matches('SMØRREBRØD', 'smorrebrod', 'strict_and_search'))
    assert.ok(matches('brød', 'Smørrebrød', 'wildcards'))
    assert.ok(!matches('brød', 'Smørrebrød'))
    assert.ok(matches('"press pho"', 'Old press photos'))
    assert.ok(!matches('"press photo"', 'Old press photos', 'strict_and_search'))
    assert.ok(!matches('"photos press"', 'Old press photos'))
    assert.ok(!matches('"photos press"', 'photos'))
    assert.ok(matches('京', '東京'))
  })
  it('matches other spellings of Danish and German, each tag once', () => {
    assert.ok(matches('Aarhus', 'Århus by'))
    assert.ok(matches('Århus', 'Aarhus by'))
    assert.ok(matches('"by aarh"', 'By Århus'))
    assert.ok(!matches('Goethe', 'Gothenburg'))
    assert.ok(matches('moebel', 'Gartenmöbel', 'wildcards'))
    const [term] = parseQuery('Ålborgøl', 'default')
    assert.deepEqual(new FoldedTags(['Aalborgøl', 'alborgol', 'Ålborgøl', 'sea']).matching(term!), [0, 1, 2])
  })
  it('matches nothing with a term that holds nothing', () => {
    assert.deepEqual(new FoldedTags(['tag']).matching({ words: ['&'], matching: 'prefix' }), [])
    assert.ok(!matches('tag', ''))
  })
})
