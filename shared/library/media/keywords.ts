import type { LanguageKeywords } from '../../vocabulary/shown-media.ts'

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
