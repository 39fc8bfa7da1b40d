import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

/** A key of a file, a pointer or a tombstone, as code spells it. What is made of a video has a record beside these, of a floor of its own. */
const spelledKey = /(['"]MEDIA#|`MEDIA#\$)(?!\{mediaId\}`, sk: 'VIDEO')/

test('media records have one writer: nobody else spells their keys, nor imports them, which is a rule of lint', () => {
  const sources = globSync('{functions,infra,shared}/**/*.ts')
  const spelling = sources.filter((path) => spelledKey.test(readFileSync(path, 'utf8')))
  assert.deepEqual(spelling, ['shared/library/media/keys.ts'])
})
