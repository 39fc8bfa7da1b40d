import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Fields, noTexts } from '../../../../infra/clients/console/app/file/fields.ts'
import { isOther, languagesOf, merged } from '../../../../infra/clients/console/app/file/merge.ts'

const before: Fields = {
  ...noTexts(),
  title: { en: 'Dawn', da: 'Daggry' },
  keywords: { en: ['boat'] },
  byline: 'Anna Berg',
  editorial: false,
  adult_content: false,
}
const changed = (change: Partial<Fields>): Fields => ({ ...structuredClone(before), ...change })

describe('what two people make of the same fields', () => {
  test('is put together where each changed other values, also languages of one field', () => {
    const mine = changed({ title: { en: 'Mine', da: 'Daggry' }, editorial: true })
    const theirs = changed({ title: { en: 'Dawn', da: 'Deres' }, keywords: { en: ['boat', 'dawn'] }, copyright: 'Theirs' })
    assert.deepEqual(merged(before, mine, theirs), {
      fields: { ...theirs, title: { en: 'Mine', da: 'Deres' }, editorial: true },
      conflicts: [],
    })
  })

  test('is a conflict where both changed the same value in different ways; mine stays meanwhile', () => {
    const { fields, conflicts } = merged(before, changed({ title: { da: 'Daggry' } }), changed({ title: { en: 'Theirs', da: 'Daggry' } }))
    assert.deepEqual(fields.title, { da: 'Daggry' })
    assert.deepEqual(conflicts, [{ field: 'title', language: 'en', theirs: 'Theirs' }])
  })

  test('is no conflict where both did the same', () => {
    const same = changed({ byline: 'Bo', keywords: { en: ['ship'] } })
    assert.deepEqual(merged(before, same, structuredClone(same)), { fields: same, conflicts: [] })
  })
})

test('empty values of languages differ from none in nothing', () => {
  assert.equal(isOther(before, changed({ title: { en: 'Dawn', da: 'Daggry', de: '' }, keywords: { en: ['boat'], de: [] } })), false)
  assert.equal(isOther(before, changed({ keywords: { en: [] } })), true)
  assert.deepEqual(languagesOf(changed({ title: { sv: 'Gryning', de: '' } })), ['en', 'sv'])
})
