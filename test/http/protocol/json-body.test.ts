import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { parseJsonBody } from '../../../shared/http/protocol/json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('a JSON body', () => {
  it('is parsed, also after a byte order mark, and may be empty', () => {
    assert.deepEqual(parse('\ufeff{"a": [1, {"b": null}]}'), { a: [1, { b: null }] })
    assert.equal(parse('"text"'), 'text')
    assert.equal(parse(' \n'), undefined)
    assert.equal(parse(''), undefined)
  })

  it('that is no JSON, or no UTF-8, is refused', () => {
    for (const text of ['{', "{'a': 1}", 'nul', '[1,]']) assert.throws(() => parse(text), { code: 'malformed_json' }, text)
    assert.throws(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22])), { code: 'malformed_json' })
  })

  it('may have a hundred levels, and no more', () => {
    assert.ok(parse(nested(100)))
    assert.ok(parse(`{"a": ${nested(99)}}`))
    for (const levels of [101, 512 * 1024]) assert.throws(() => parse(nested(levels)), { code: 'malformed_json' })
    assert.throws(() => parse(`{"a": [1, {"b": ${nested(99)}}]}`), { code: 'malformed_json' })
  })

  it('may have 20,000 objects and arrays, and no more', () => {
    const list = (values: number, value: string) => `[${Array(values).fill(value).join(',')}]`
    for (const value of ['{}', '[]', '{"a":1}', '[ "a" ]']) {
      assert.ok(parse(list(19_999, value)))
      const message = 'The body has more than 20000 objects and arrays.'
      assert.throws(() => parse(list(20_000, value)), { code: 'malformed_json', message })
    }
  })

  it('may have any texts', () => {
    const text = ',[{"\\'.repeat(10_000)
    assert.deepEqual(parse(JSON.stringify([text, { [text]: text }])), [text, { [text]: text }])
  })

  it('may have objects of a thousand fields, and no more', () => {
    const object = (fields: number) => JSON.stringify([Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, at]))])
    assert.ok(parse(object(1_000)))
    assert.throws(() => parse(object(1_001)), { code: 'malformed_json' })
    assert.ok(parse(JSON.stringify(Array(100_000).fill(1))))
  })

  it('with a field __proto__ is refused wherever it stands and however it is written', () => {
    for (const text of ['{"__proto__": 1}', '{"__pro\\u0074o__": 1}', '[[{"a": {"\\u005f_proto__": {}}}]]'])
      assert.throws(() => parse(text), { code: 'malformed_json' }, text)
    assert.deepEqual(parse('["__proto__", {"a": "__proto__"}]'), ['__proto__', { a: '__proto__' }])
    assert.deepEqual(parse('{"constructor": 1, "toString": 2}'), { constructor: 1, toString: 2 })
  })
})
