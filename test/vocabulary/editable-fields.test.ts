import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Media, Metadata } from '../../functions/media/schema.ts'
import { noMetadata } from '../../shared/library/media/importing.ts'
import { byField, fieldNames, namesIn, valuesByName } from '../../shared/vocabulary/editable-fields.ts'

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
    assert.deepEqual(byField(valuesByName(noMetadata)), { ...noMetadata, focalPoint: null })
  })
})
