import assert from 'node:assert/strict'
import { test } from 'vitest'
import { regionalLocale } from '../../../../infra/clients/console/app/language/regional-locale.ts'

test.each([
  ['en', 'en-GB', '17 May 2026'],
  ['en', 'en-US', 'May 17, 2026'],
  ['en', 'en', 'May 17, 2026'],
  ['en', 'da-DK', '17 May 2026'],
  ['da', 'da-DK', '17. maj 2026'],
  ['da', 'en-US', '17. maj 2026'],
  ['de', 'de-AT', '17.05.2026'],
])('dates in the language %s of a browser in %s', (language, browser, expected) => {
  const locale = regionalLocale(language, browser)
  assert.equal(new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date('2026-05-17')), expected)
})
