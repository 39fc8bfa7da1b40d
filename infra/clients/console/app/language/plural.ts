/** Chooses the form that a number takes in a language. */
export function plurals(locale: string) {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  /** @param forms where `#` stands for the number */
  return (count: number, forms: { one: string; other: string }): string =>
    (rules.select(count) === 'one' ? forms.one : forms.other).replace('#', numbers.format(count))
}
