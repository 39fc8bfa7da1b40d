/**
 * Folding turns text into tokens, in the same way for the index and for queries. SQLite's tokenizers don't fit: they keep ligatures and ß,
 * split combining marks of some scripts, and make one token of a run of Chinese.
 */

/** Tokens are cut to this many characters; longer words match by their beginning. Bounds the cost of hostile text. */
export const MAX_TOKEN_CHARACTERS = 64

/** Letters that Unicode does not decompose, although readers see them as variants of a base letter. */
const VARIANTS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ß: 'ss',
  ς: 'σ',
}
const variants = /[æœøđðþłħŧŋıßς]/g

/**
 * Characters that end a word although folding would merge or drop them. Trade mark signs would become letters of the word before them
 * (`Acme™` → `acmetm`); the zero-width space allows a line break between words.
 */
const BORDERS = /[™℠©®\u200b]/g

/**
 * Invisible characters inside words: soft hyphen, joiners, word joiner, zero-width no-break space, marks of direction, variation selectors.
 * Source: Unicode's Default_Ignorable_Code_Point; UAX #29 (rule WB4) ignores them in words, except the zero-width space.
 */
export const INVISIBLE = /(?!\u200b)\p{Default_Ignorable_Code_Point}/gu

/**
 * Marks that readers consider optional, as ranges of code points: accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels and
 * tatweel, enclosing marks, skin tones. Marks that make a different letter (Indic vowels, Japanese voicing) are not optional.
 */
const OPTIONAL_MARKS = new RegExp(
  [
    ...['0300-036f', '1ab0-1aff', '1dc0-1dff', 'fe20-fe2f'],
    ...['0591-05c7', '0610-061a', '064b-065f', '0640-0640', '0670-0670'],
    ...['20d0-20ff', '1f3fb-1f3ff'],
  ]
    .map((range) => `[${range.replace(/[0-9a-f]+/g, '\\u{$&}')}]`)
    .join('|'),
  'gu',
)

/** Scripts that are written without spaces between words. */
const SPACELESS = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]`

/**
 * A token: one letter of a spaceless script with its marks, or a symbol such as an emoji, or a run of other letters and digits. With one
 * token a character, a phrase finds any part of a spaceless run.
 */
const TOKEN = new RegExp(
  String.raw`(?=[\p{L}\p{N}])${SPACELESS}\p{M}*|[\p{Extended_Pictographic}\p{RI}]|(?:(?!${SPACELESS})[\p{L}\p{N}]\p{M}*)+`,
  'gu',
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included.
export const ASCII = /^[\x00-\x7f]*$/
const ASCII_TOKEN = /[a-z0-9]+/g

/**
 * The tokens of a text, in order: case, diacritics, ligatures, width and presentation forms folded, at most `MAX_TOKEN_CHARACTERS` each.
 * `Ærø Straße №5` → `aero`, `strasse`, `no5`. Text without letters, digits or symbols has none.
 */
export function tokenize(text: string): string[] {
  return ASCII.test(text) ? clipped(text.toLowerCase().match(ASCII_TOKEN)) : tokensOf(decomposed(text))
}

/** Text in lower case, with marks decomposed (NFKD) and without invisible characters: `Ærø` → `ærø`, `Å` → `a` and a combining ring. */
export function decomposed(text: string): string {
  return text.replace(BORDERS, ' ').normalize('NFKD').replace(INVISIBLE, '').toLowerCase()
}

/** Removes the optional marks from decomposed text. Letters that are still composed in it stay as they are. */
export function folded(text: string): string {
  return text
    .replace(OPTIONAL_MARKS, '')
    .replace(variants, (letter) => VARIANTS[letter] ?? letter)
    .normalize('NFC')
}

/** The tokens of decomposed text. */
export function tokensOf(text: string): string[] {
  return clipped(folded(text).match(TOKEN))
}

function clipped(tokens: string[] | null): string[] {
  return tokens?.map(clip) ?? []
}

function clip(token: string): string {
  if (token.length <= MAX_TOKEN_CHARACTERS) return token
  return Array.from(token.slice(0, 2 * MAX_TOKEN_CHARACTERS))
    .slice(0, MAX_TOKEN_CHARACTERS)
    .join('')
}
