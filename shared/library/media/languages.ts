import type { LanguageKeywords } from '../../vocabulary/field-values.ts'

/**
 * The value that a reader gets: in their language, else in English, else in the language whose code sorts first (the table keeps no order).
 * @returns undefined where there is no value in any language
 */
export function inLanguage<Value extends string | string[]>(languages: { [language: string]: Value }, language: string): Value | undefined {
  const others = Object.keys(languages).sort()
  return [language, 'en', ...others].map((code) => languages[code]).find((value) => value?.length)
}

/** Appends keywords, each once. */
export function withKeywords(current: LanguageKeywords, added: LanguageKeywords): LanguageKeywords {
  return perLanguage({ ...added, ...current }, (language) => [...(current[language] ?? []), ...(added[language] ?? [])])
}

/** Removes keywords. Missing ones are ignored. */
export function withoutKeywords(current: LanguageKeywords, removed: LanguageKeywords): LanguageKeywords {
  return perLanguage(current, (language) => (current[language] ?? []).filter((keyword) => !removed[language]?.includes(keyword)))
}

/** Each keyword once, no empty languages. */
export function cleanKeywords(keywords: LanguageKeywords): LanguageKeywords {
  return perLanguage(keywords, (language) => keywords[language] ?? [])
}

function perLanguage(languages: object, keywords: (language: string) => string[]): LanguageKeywords {
  const entries = Object.keys(languages).map((language): [string, string[]] => [language, [...new Set(keywords(language))]])
  return Object.fromEntries(entries.filter(([, list]) => list.length > 0))
}
