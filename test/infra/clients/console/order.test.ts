import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { inOrder, orderIn } from '../../../../infra/clients/console/app/files/order.ts'

const given = (query: string) => new URLSearchParams(query)

describe('the order of a list', () => {
  test.each([
    ['', { order: 'created', direction: 'desc' }],
    ['q=boat', { order: 'relevance', direction: 'desc' }],
    ['order=filename', { order: 'filename', direction: 'asc' }],
    ['order=byline&direction=desc', { order: 'byline', direction: 'desc' }],
    ['order=colour', { order: 'created', direction: 'desc' }],
    ['direction=asc', { order: 'created', direction: 'desc' }],
  ])('is read of %j', (query, order) => {
    assert.deepEqual(orderIn(given(query)), order)
  })

  test('is written only as far as it is another than the usual one, and is read as it was written', () => {
    assert.equal(inOrder(given('order=size&direction=asc'), 'created').toString(), '')
    assert.equal(inOrder(given('q=boat'), 'created').toString(), 'q=boat&order=created')
    assert.equal(inOrder(given('recursive=true'), 'size', 'asc').toString(), 'recursive=true&order=size&direction=asc')
    assert.equal(inOrder(given('order=size&direction=asc'), 'filename').toString(), 'order=filename')
    for (const direction of ['asc', 'desc'] as const)
      assert.deepEqual(orderIn(inOrder(given(''), 'folder', direction)), { order: 'folder', direction })
  })
})
