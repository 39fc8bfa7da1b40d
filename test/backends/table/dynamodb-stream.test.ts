import assert from 'node:assert/strict'
import { test } from 'vitest'
import { toChange } from '../../../shared/backends/table/dynamodb-stream.ts'

/** All else is in the contract. */
test('a record of an item that time to live removed says so', () => {
  const keys = { pk: { S: 'MEDIA#1' }, sk: { S: 'ITEM' } }
  const record = { eventID: 'id', eventName: 'REMOVE', dynamodb: { Keys: keys, OldImage: { ...keys, n: { N: '-1.5' } } } } as const
  const key = { pk: 'MEDIA#1', sk: 'ITEM' }
  assert.deepEqual(toChange(record), { id: 'id', key, before: { ...key, n: -1.5 } })
  const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' }
  assert.deepEqual(toChange({ ...record, userIdentity }), { id: 'id', key, before: { ...key, n: -1.5 }, expired: true })
})
