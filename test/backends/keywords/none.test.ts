import assert from 'node:assert/strict'
import { test } from 'vitest'
import { noSuggester } from '../../../shared/backends/keywords/none.ts'

test('where there is no suggester, that is said', async () => {
  assert.equal(await noSuggester.suggest({ key: '7/8/renditions/1200x800' }), undefined)
})
