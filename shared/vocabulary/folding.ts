/**
 * Folding: text to the tokens that stand for it in the index and in a query, so that both always agree. SQLite's own tokenizers are not
 * used for this: they keep ligatures and sharp s, split combining marks of some scripts, and make one token of a run of Chinese.
 */

/** A token keeps this many characters; longer words match by their beginning. Bounds what hostile text costs. */
export const MAX_TOKEN_CHARACTERS = 64

/** Letters that Unicode does not decompose, though readers see a variant of a base letter. */
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
 * Characters that end a word though they would become a part of it, or go. Trade marks would be letters of the word before them (`Acme™` →
 * `acmetm`), and the zero-width space is where a line may break between words.
 */
const BORDERS = /[™℠©®\u200b]/g

/**
 * Characters that nobody sees, which are no borders of words: soft hyphen, joiners, word joiner, zero-width no-break space, marks of direction,
 * variation selectors. Source: Unicode's Default_Ignorable_Code_Point; UAX #29 (rule WB4) ignores them in words, but for the zero-width space.
 */
export const INVISIBLE = /(?!\u200b)\p{Default_Ignorable_Code_Point}/gu

/**
 * Marks that readers take as optional, as ranges of code points: accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels and
 * tatweel, enclosing marks, skin tones. Marks that make another letter (Indic vowels, Japanese voicing) stay.
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
 * One letter of such a script with the marks on it, or a symbol of its own such as an emoji, or a run of other letters and digits. Runs
 * of the former become a token a character, so that any part of a run is found as a phrase.
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

/** Text in small letters with their marks behind them: `Ærø` → `ærø`, `Å` → `a` and a ring. Invisible characters are gone. */
export function decomposed(text: string): string {
  return text.replace(BORDERS, ' ').normalize('NFKD').replace(INVISIBLE, '').toLowerCase()
}

/** Decomposed text without its optional marks; letters that are composed in it stay. */
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
