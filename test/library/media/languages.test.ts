import assert from 'node:assert/strict'
import { test } from 'vitest'
import { inLanguage } from '../../../shared/library/media/languages.ts'

test('a reader gets their language, else English, else the first other one that says anything, by its code', () => {
  const all = { sv: 'hamn', en: 'harbour', de: 'Hafen', da: 'havn' }
  assert.deepEqual(
    ['da', 'de', 'en', 'fr'].map((language) => inLanguage(all, language)),
    ['havn', 'Hafen', 'harbour', 'harbour'],
  )
  assert.equal(inLanguage({ sv: 'hamn', fr: 'port', de: '' }, 'de'), 'port')
  assert.deepEqual(inLanguage({ da: [], en: ['harbour'] }, 'da'), ['harbour'])
  assert.equal(inLanguage({}, 'en'), undefined)
})
