import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { name as nameOption } from '../../infra/admin/values.ts'
import { Name } from '../../shared/http/fields.ts'

describe('a name', () => {
  it('loses white space at its ends, tabs and line breaks too', () => {
    for (const pasted of ['Name\t', '\tName', '\r\nName\n', '\u00a0 Name \u2028', '\ufeffName']) assert.equal(Name.parse(pasted), 'Name')
    assert.equal(Name.parse(`${' '.repeat(300)}${'x'.repeat(255)}\t`), 'x'.repeat(255))
  })

  it('is refused with control characters inside', () => {
    for (const name of ['a\tb', 'a\nb', 'a\u0000b', '\u0000', 'a\u0085b', 'a\u2028b', 'a\ud800b']) assert.ok(!Name.safeParse(name).success)
  })

  it('is refused with characters that turn text around, and may hold marks that only tell its direction', () => {
    for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') assert.ok(!Name.safeParse(`a${control}b`).success)
    assert.equal(Name.parse('\u200fשם\u200e \u061c'), '\u200fשם\u200e \u061c')
  })

  it('of people and companies is taken the same way on the command line', () => {
    assert.equal(nameOption('\tAnna Berg\n'), 'Anna Berg')
    assert.throws(() => nameOption('Anna\u202eBerg'), /must not contain control characters/)
  })

  it('is never empty', () => {
    for (const name of ['', ' \t', '\u2029']) assert.ok(!Name.safeParse(name).success)
  })
})
