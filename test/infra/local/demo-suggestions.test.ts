import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ensureDemoSuggestions } from '../../../infra/local/demo/demo-company.ts'
import { findCompany, setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

test('the demo is opted in to suggested keywords, unless the operator has decided otherwise', async () => {
  const library = openTestTable()
  const { companyId } = await openTestCompany(library)
  const isOptedIn = async () => (await findCompany(library, companyId))?.suggestions
  assert.equal(await isOptedIn(), undefined)
  await ensureDemoSuggestions(library, companyId)
  assert.equal(await isOptedIn(), true)
  await setSuggestions(library, companyId, false)
  await ensureDemoSuggestions(library, companyId)
  assert.equal(await isOptedIn(), false)
})
