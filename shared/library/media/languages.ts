/**
 * The value that a reader gets: in their language, else in English, else in the language whose code sorts first (the table keeps no order).
 * @returns undefined where there is no value in any language
 */
export function inLanguage<Value extends string | string[]>(languages: { [language: string]: Value }, language: string): Value | undefined {
  const others = Object.keys(languages).sort()
  return [language, 'en', ...others].map((code) => languages[code]).find((value) => value?.length)
}
