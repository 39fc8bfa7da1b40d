import type { LanguageKeywords } from '../../vocabulary/shown-media.ts'

/** Adds keywords behind those that are there, each once. */
export function withKeywords(current: LanguageKeywords, added: LanguageKeywords): LanguageKeywords {
  return perLanguage({ ...added, ...current }, (language) => [...(current[language] ?? []), ...(added[language] ?? [])])
}

/** Takes keywords away; those that aren't there are no matter. */
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
