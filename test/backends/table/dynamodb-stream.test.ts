import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { toChange } from '../../../shared/backends/table/dynamodb-stream.ts'

describe('a record of the table stream', () => {
  const keys = { pk: { S: 'MEDIA#1' }, sk: { S: 'ITEM' } }
  const image = {
    ...keys,
    n: { N: '-1.5' },
    yes: { BOOL: true },
    nothing: { NULL: true },
    list: { L: [{ S: '' }, { M: { a: { N: '1' } } }] },
  }
  const item = { pk: 'MEDIA#1', sk: 'ITEM', n: -1.5, yes: true, nothing: null, list: ['', { a: 1 }] }
  const key = { pk: 'MEDIA#1', sk: 'ITEM' }

  test('of a new item has no before', () => {
    const record = { eventID: 'id', eventName: 'INSERT', dynamodb: { Keys: keys, NewImage: image, SequenceNumber: '7' } } as const
    assert.deepEqual(toChange(record), { id: 'id', key, after: item })
  })

  test('of a changed item has both', () => {
    const record = { eventID: 'id', eventName: 'MODIFY', dynamodb: { Keys: keys, OldImage: keys, NewImage: image } } as const
    assert.deepEqual(toChange(record), { id: 'id', key, before: key, after: item })
  })

  test('of a removed item says whether time to live removed it', () => {
    const record = { eventID: 'id', eventName: 'REMOVE', dynamodb: { Keys: keys, OldImage: image } } as const
    assert.deepEqual(toChange(record), { id: 'id', key, before: item })
    const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' }
    assert.deepEqual(toChange({ ...record, userIdentity }), { id: 'id', key, before: item, expired: true })
  })
})
