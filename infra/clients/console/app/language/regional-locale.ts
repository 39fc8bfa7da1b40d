/** A language as it is written in the region of another. @param browser as `navigator.language` has it */
export function regionalLocale(language: string, browser: string): string {
  const { region } = new Intl.Locale(browser)
  return region ? `${language}-${region}` : language
}
