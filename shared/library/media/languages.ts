/**
 * Of a text, or of keywords, in several languages the one that a reader gets: in their language, else in English, else in the first other language
 * by its code. The table keeps no order of languages.
 * @returns undefined where there is none in any language
 */
export function inLanguage<Value extends string | string[]>(languages: { [language: string]: Value }, language: string): Value | undefined {
  const others = Object.keys(languages).sort()
  return [language, 'en', ...others].map((code) => languages[code]).find((value) => value?.length)
}
