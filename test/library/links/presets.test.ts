import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { resolveQuery, type StoredPresets } from '../../../shared/library/links/presets.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'

describe('what a preset and its link ask for', () => {
  const presets = { card: 'width=100&dpr=2', wide: 'width=100' }
  const known: StoredPresets = { companyId: toCompanyId(42), presetsOnly: false, presets, modified: 0 }

  test.each([
    ['preset=card', 'width=200'],
    ['preset=card&dpr=1', 'width=100'],
    ['preset=card&dpr=3', 'width=300'],
    ['preset=wide&dpr=1', 'width=100'],
    ['preset=wide&dpr=1.5&output_format=auto&accept=webp', 'width=150&output_format=auto&accept=webp'],
    ['preset=wide&accept=webp', 'width=100'],
  ])('%s is %s', (asked, query) => assert.equal(resolveQuery(known, 'demo', asked).query, query))
})
