import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { asciiDomain, asciiMailAddress } from '../../shared/vocabulary/mail-address.ts'
import { domainForms, noDomains } from '../support/mail-addresses.ts'

describe('a domain', () => {
  test.each(noDomains)('is not %j', (text) => {
    assert.equal(asciiDomain(text), undefined)
    assert.equal(asciiMailAddress(`x@${text}`), undefined)
  })

  test.each(domainForms)('%j has the form %s, and keeps it', (text, form) => {
    assert.equal(asciiDomain(text), form)
    assert.equal(asciiMailAddress(`x@${text}`), `x@${form}`)
    assert.equal(asciiDomain(form), form)
  })
})

describe('an e-mail address', () => {
  test('is one that mail goes to', () => {
    for (const address of ['anna@example.com', 'Anna.B+x@example.com', "o'neil@example.com", 'x@localhost', `${'x'.repeat(64)}@a.test`]) {
      assert.equal(asciiMailAddress(address), address)
    }
    const long = `${'x'.repeat(64)}@${'ü.'.repeat(80)}test`
    for (const text of ['anna', '@a.test', 'a@b@a.test', 'a b@a.test', '.a@a.test', 'a.@a.test', '"a"@a.test', 'A <a@a.test>', long]) {
      assert.equal(asciiMailAddress(text), undefined, text)
    }
  })
})
