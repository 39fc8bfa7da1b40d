import { ASCII, decomposed, tokenize, tokensOf } from './folding.ts'

/*
 * Danish, German and their neighbours also write some letters as two: `Aarhus` is Århus, `Moebel` are Möbel. Folding turns å into a, so it
 * can't match these. Words match if they are equal after folding, or after writing each of these letters as one: `Aarhus` and `Århus` then
 * are both `århus`, and `Arhus` isn't. These tokens keep the single letters, which no folded token contains.
 */

/** The letters, decomposed. æ, œ and ß are missing because they fold to two letters anyway. */
const LETTER = /a\u030a|[aou]\u0308|ø/g
const AS_TWO: Readonly<Record<string, string>> = { 'a\u030a': 'aa', 'a\u0308': 'ae', 'o\u0308': 'oe', ø: 'oe', 'u\u0308': 'ue' }

/** The letters, written as one or two. A second letter with a mark stands for itself: `Noël`. */
const ONE_OR_TWO = /a\u030a|[aou]\u0308|[øæœ]|(?:aa|[aou]e)(?!\p{M})/gu
const AS_ONE: Readonly<Record<string, string>> = {
  ...{ 'a\u030a': 'å', aa: 'å' },
  ...{ 'a\u0308': 'ä', æ: 'ä', ae: 'ä' },
  ...{ 'o\u0308': 'ö', ø: 'ö', œ: 'ö', oe: 'ö' },
  ...{ 'u\u0308': 'ü', ue: 'ü' },
}

/** Decomposed text with each of these letters written as two. */
export function asTwo(text: string): string {
  return text.replace(LETTER, (letter) => AS_TWO[letter]!)
}

/** Decomposed text with each of these letters written as one. */
export function asOne(text: string): string {
  return text.replace(ONE_OR_TWO, (letter) => AS_ONE[letter]!)
}

/**
 * The readings under which a text is indexed, decomposed: as it is and, if it has one of these letters, with these letters written as one.
 */
export function readings(text: string): string[] {
  const letters = decomposed(text)
  return letters.search(LETTER) < 0 ? [letters] : [letters, asOne(letters)]
}

/** The tokens of each reading of a text. */
export function tokensOfReadings(text: string): string[][] {
  return ASCII.test(text) ? [tokenize(text)] : readings(text).map(tokensOf)
}
