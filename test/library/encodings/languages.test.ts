import assert from 'node:assert/strict'
import { test } from 'vitest'
import { canonicalLanguage, languageName } from '../../../shared/library/encodings/playlist.ts'

test('a language is named in its own words, else by its tag', () => {
  const names = { da: 'Dansk', de: 'Deutsch', 'en-GB': 'British English', ja: '日本語', 'zh-Hant': '繁體中文', qaa: 'Qaa' }
  for (const [language, name] of Object.entries(names)) assert.equal(languageName(language), name)
})

test('a language is known by one tag, however it is written', () => {
  const tags = { DA: 'da', 'en-us': 'en-US', 'ZH-hant-tw': 'zh-Hant-TW', iw: 'he', 'sl-rozaj': 'sl-rozaj', dan: 'da', gsw: 'gsw' }
  for (const [written, tag] of Object.entries(tags)) assert.equal(canonicalLanguage(written), tag, written)
})

test('what is no language has no tag, nor has one that makes the names of files too long', () => {
  const long = ['sl-nedis-rozaj-biske-1994-njiva-osojs', `en-${Array.from({ length: 15 }, (_, index) => `abc${10_000 + index}`).join('-')}`]
  for (const tag of long) assert.equal(canonicalLanguage(tag), undefined, tag)
  for (const other of ['', 'danish', 'd', 'da_DK', 'da-', '../x', 'en-u-ca-buddhist', 'x-own', 'æ', 'da"', 'root', `da-${'a'.repeat(9)}`])
    assert.equal(canonicalLanguage(other), undefined, other)
})
