/** What somebody reads of a text, or of keywords, in several languages: in their own, else in English, else in any. Empty values count as none. */
export function inLanguage<Value extends string | string[]>(values: Readonly<Record<string, Value>>, own: string): Value | undefined {
  return values[languageIn(values, own) ?? '']
}

/** The language of that. */
export function languageIn(values: Readonly<Record<string, string | string[]>>, own: string): string | undefined {
  const filled = Object.keys(values).filter((code) => values[code]!.length > 0)
  return [own, 'en'].find((code) => filled.includes(code)) ?? filled.sort()[0]
}
