import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../../functions/endpoints.ts'
import { type Endpoint, isBytesBody } from '../../../shared/http/declaration/endpoint.ts'
import { check } from '../../../shared/http/declaration/problems.ts'
import { Invalid } from '../../../shared/library/errors.ts'
import { assertVoice } from '../../support/voice.ts'

/** Wrong almost everywhere. */
const WRONG = [null, true, -1, 1.5, 1e300, 'x', '', '\u0000', '\ud800', 'x'.repeat(60_000), [], [null], ['x', 1], {}, { 'no language!': 1 }]

type JsonSchema = { type?: string; properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] } & Record<
  string,
  unknown
>

/** Values that are wrong in one place, as deep as the schema goes. */
function* wrongFor(schema: JsonSchema, levels = 4): Generator<unknown> {
  yield* WRONG
  if (levels === 0) return
  for (const branch of schema.anyOf ?? []) yield* wrongFor(branch, levels - 1)
  for (const [name, held] of Object.entries(schema.properties ?? {}))
    for (const wrong of wrongFor(held, levels - 1)) yield { [name]: wrong }
  if (typeof schema.additionalProperties === 'object')
    for (const wrong of wrongFor(schema.additionalProperties as JsonSchema, levels - 1)) yield { en: wrong }
  if (schema.items) {
    for (const wrong of wrongFor(schema.items, levels - 1)) yield [wrong]
    yield Array(20_000).fill('x')
  }
  if (schema.type === 'object') yield Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${'k'.repeat(300)}${at}`, {}]))
}

/** What an answer would tell. */
function told(schema: z.ZodType, value: unknown): Invalid | undefined {
  const checked = check(schema, value, 'The body')
  return 'problems' in checked ? new Invalid(checked.problems) : undefined
}

describe('what is wrong with an input', () => {
  for (const [name, { params, query, body }] of Object.entries<Endpoint>(endpoints)) {
    for (const [place, schema] of Object.entries({ ...params, query, body })) {
      if (!schema || isBytesBody(schema)) continue
      it(`is told in one voice: ${name}, ${place}`, () => {
        const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
        let refused = 0
        for (const wrong of [undefined, ...wrongFor(shape)]) {
          const error = told(schema, wrong)
          if (!error) continue
          refused += 1
          assertVoice(error.problems)
          assert.match(error.message, /^\S.*[.…]$/)
        }
        assert.ok(refused > 0)
      })
    }
  }

  const problems = (schema: z.ZodType, value: unknown) => told(schema, value)?.problems.map(({ path, message }) => `${path} ${message}`)

  it('names what is missing, and what is not known', () => {
    const schema = z.strictObject({ a: z.string(), b: z.union([z.number(), z.string()], 'must be one or the other') })
    assert.deepEqual(problems(schema, { c: 1, d: 2 }), ['a is missing', 'b is missing', 'c is not known', 'd is not known'])
    assert.deepEqual(problems(schema, { a: null, b: null }), ['a must be a string', 'b must be one or the other'])
    assert.deepEqual(problems(schema, undefined), [' The body is missing.'])
    assert.deepEqual(problems(schema, { a: '', b: 1, '': 1 }), ['"" is not known'])
    assert.deepEqual(problems(schema, []), [' The body must be an object.'])
  })

  it('names the place, limits and choices', () => {
    const schema = z.object({
      list: z.array(z.object({ size: z.enum(['a', 'b']) })).max(2),
      text: z.string().max(3),
      count: z.number().int().min(1).max(5),
      by: z.record(z.string().regex(/^[a-z]$/, 'must be a letter'), z.boolean()),
    })
    assert.deepEqual(problems(schema, { list: [{ size: 'a' }, { size: 'c' }], text: 'long', count: 9, by: { aa: true, b: 1 } }), [
      'list[1].size must be one of a, b',
      'text must be at most 3 characters',
      'count must be at most 5',
      'by.aa must be a letter',
      'by.b must be true or false',
    ])
    assert.deepEqual(problems(schema, { list: [1, 2, 3], text: '', count: 0, by: {} })?.slice(0, 1), ['list must hold at most 2 values'])
  })

  it('does not grow with the input', () => {
    const many = Array(100_000).fill('x'.repeat(3))
    const error = told(z.array(z.number()), many)!
    assert.equal(error.problems.length, 100)
    assert.ok(JSON.stringify(error.problems).length + error.message.length < 10_000)
    const long = told(z.strictObject({}), { ['k'.repeat(500_000)]: 1 })!
    assert.ok(long.problems[0]!.path.length <= 200 && long.message.length <= 200)
    const own = new Invalid([{ path: 'p', message: `must be ${'m'.repeat(1000)}` }])
    assert.equal(own.problems[0]!.message.length, 200)
  })
})
