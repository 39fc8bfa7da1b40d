/** Characters of the longest tag: it is a part of files' names. RFC 5646 (4.4.1) has room for every tag in so many. */
const LONGEST_TAG = 35

/**
 * A language as subtitles know it: language, script, region and variants of a BCP 47 tag, in their canonical form.
 * @returns undefined where the tag is none
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    const locale = new Intl.Locale(tag)
    // Intl takes extensions, which choose calendars and the like, and languages of five to eight letters, of which there are none.
    const isLanguage = locale.baseName === locale.toString() && locale.language.length <= 3
    return isLanguage && locale.baseName.length <= LONGEST_TAG ? locale.baseName : undefined
  } catch {
    return undefined
  }
}

/** What a language calls itself, as a heading does: `Dansk`. Where nobody knows a name it is the tag. @param language a canonical tag */
export function languageName(language: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  // A quoted string of a playlist holds neither.
  return (first.toLocaleUpperCase(language) + rest.join('')).replaceAll(/["\r\n]/g, '')
}
