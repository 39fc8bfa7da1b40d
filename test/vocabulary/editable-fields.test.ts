import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Media, Metadata } from '../../functions/media/schema.ts'
import { COLUMNS, parsed, Row, saidByJson, saidByRow } from '../../infra/admin/transfer/said.ts'
import { filling } from '../../infra/clients/cli/filling.ts'
import { bodyOf, fieldsOf } from '../../infra/clients/console/app/file/fields.ts'
import { noMetadata } from '../../shared/library/media/importing.ts'
import { fieldColumns } from '../../shared/tools/sidecars/columns.ts'
import {
  byField,
  type EditableValues,
  entriesIn,
  fieldEntries,
  fieldNames,
  fieldValue,
  namesIn,
  valuesByName,
  valuesIn,
} from '../../shared/vocabulary/editable-fields.ts'
import type { FieldKind, FieldValues } from '../../shared/vocabulary/field-values.ts'

describe('the table of editable fields', () => {
  test('names what the document of a file shows, where it shows it', () => {
    assert.deepEqual(
      namesIn('document').filter((name) => !(name in Media.shape)),
      [],
    )
    assert.deepEqual(
      namesIn('metadata').filter((name) => !(name in Metadata.shape)),
      [],
    )
    assert.equal(new Set([...namesIn('document'), ...namesIn('metadata')]).size, fieldNames.length)
  })

  test('translates names, and leaves out what is not said', () => {
    const said = { expiration_date: '2030-01-01', focal_point: null, byline: undefined, color: 'red' }
    assert.deepEqual(byField(said), { expires: '2030-01-01', focalPoint: null })
  })
  test('gives all values by name, and gets them back', () => {
    const { expiration_date: expires, focal_point: point, ...others } = valuesByName({ ...noMetadata, expires: '2030-01-01' })
    assert.deepEqual({ expires, point, title: others.title }, { expires: '2030-01-01', point: null, title: {} })
    const all = fieldNames.map((field) => [field, fieldValue(noMetadata, field)])
    assert.deepEqual(byField(valuesByName(noMetadata)), Object.fromEntries(all))
  })
})

/** A value of each kind, as text in columns. */
const samples: { [Kind in FieldKind]: { value: FieldValues[Kind]; text: string } } = {
  texts: { value: { en: 'Dawn' }, text: 'Dawn' },
  keywords: { value: { en: ['a', 'b'] }, text: 'a;b' },
  line: { value: 'Anna', text: 'Anna' },
  day: { value: '2031-01-31', text: '2031-01-31' },
  flag: { value: true, text: '' },
  point: { value: { x: 0.5, y: 0.25 }, text: '0.5,0.25' },
}

describe('every field', () => {
  const values = Object.fromEntries(fieldEntries.map(({ field, is }) => [field, samples[is].value])) as EditableValues
  const byName = valuesByName(values)
  const document = { ...valuesIn('document', values), metadata: valuesIn('metadata', values) }

  test('comes back from exports: from documents beside files, and from columns where manifests have it', () => {
    assert.deepEqual(saidByJson(JSON.stringify(document)).metadata, values)
    const row = Object.fromEntries(entriesIn('manifest').map(({ name, is }) => [name, samples[is].text]))
    assert.deepEqual(Object.fromEntries(Object.entries(fieldColumns).map(([name, column]) => [name, column.write(values)])), row)
    const { metadata } = saidByRow(parsed(Row, { path: 'a.jpg', ...row }), { metadata: {} })
    assert.deepEqual(metadata, Object.fromEntries(entriesIn('manifest').map(({ field }) => [field, values[field]])))
    assert.deepEqual(
      COLUMNS.filter((column) => column in row),
      Object.keys(fieldColumns),
    )
  })

  test('is edited by the command line where manifests have it', () => {
    assert.deepEqual(
      Object.keys(filling(byName)).sort(),
      entriesIn('manifest')
        .map(({ name }) => name)
        .sort(),
    )
  })

  test('is in the forms of the console, but for points', () => {
    const form = fieldsOf(document as never)
    const { focal_point: _, ...others } = byName
    assert.deepEqual([form, bodyOf(form)], [others, others])
  })
})
