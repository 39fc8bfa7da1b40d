import assert from 'node:assert/strict'
import { test } from 'vitest'
import * as z from 'zod'
import { flag, many, queryOf, splitValues, wholeNumber } from '../../../shared/http/declaration/query.ts'

const parse = (multiValueQueryStringParameters: Record<string, string[]>) => queryOf({ multiValueQueryStringParameters })

test('repeated, bracketed and empty parameters', () => {
  assert.deepEqual(
    { ...parse({ a: ['1', '2'], 'b[]': ['3', '4'], 'c[0]': ['5'], 'c[1]': ['6'], d: [''], '': ['x'] }) },
    { a: '1+2', b: '3+4', c: '5+6' },
  )
  assert.deepEqual({ ...parse({ a: ['1'], 'a[]': ['2'] }) }, { a: '1+2' })
})

test('multi-values split on plus, space and comma, in any mixture', () => {
  assert.deepEqual(splitValues('a+b c,d + ,e'), ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(many(z.string()).parse('a+b'), ['a', 'b'])
  assert.equal(many(z.string()).parse(' +,'), undefined, 'nothing but separators counts as not given')
})

test('a parameter that is named like a property of objects is just a name', () => {
  const query = parse({ __proto__x: ['1'], constructor: ['2'] })
  assert.equal(query.constructor, '2')
  assert.equal(Object.getPrototypeOf(query), null)
})

test('numbers and flags', () => {
  assert.equal(wholeNumber(0, 10).parse(' 7 '), 7)
  for (const wrong of ['', 'x', '1.5', '11', '-1', '1e3', '0x1', '٣']) assert.ok(!wholeNumber(0, 10).safeParse(wrong).success, wrong)
  assert.deepEqual(
    ['true', 'TRUE', '1', 'false', '0'].map((text) => flag().parse(text)),
    [true, true, true, false, false],
  )
  assert.ok(!flag().safeParse('maybe').success)
})
