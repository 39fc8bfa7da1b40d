import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { newFolder } from '../../../shared/library/tree/folder.ts'
import { NumberedFolders } from '../../../shared/library/tree/numbered-folders.ts'
import { toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'

const folder = (id: number, name: string) => newFolder(toFolderId(id), { companyId: toCompanyId(1), name, parent: null, created: 0 })
/** Of several blocks, of which the last is full or not. */
const sizes = fc.constantFrom(0, 1, 255, 256, 257, 1_000, 1_024)
const changes = fc.array(fc.array(fc.nat(1_100), { maxLength: 4 }), { maxLength: 8 })

test('each of the lists that changes make holds what a copy of all would, and tells what differs from any earlier one', () => {
  fc.assert(
    fc.property(sizes, changes, (size, changed) => {
      let expected = Array.from({ length: size }, (_, n) => folder(n + 1, 'first'))
      let list = NumberedFolders.of(expected)
      const versions = [{ list, expected }]
      for (const numbers of changed) {
        const renewed = numbers.filter((number) => number < size).map((number) => [number, folder(number + 1, 'changed')] as const)
        expected = [...expected]
        for (const [number, record] of renewed) expected[number] = record
        list = list.with(renewed)
        versions.push({ list, expected })
      }
      for (const version of versions) {
        assert.equal(version.list.length, size)
        assert.ok([...version.list].every((record, number) => record === version.expected[number]))
        version.list.forEach((record, number) => {
          assert.equal(record, version.list.at(number))
        })
        const differing = expected.flatMap((record, number) => (record === version.expected[number] ? [] : number))
        assert.deepEqual(list.changedSince(version.list), differing)
      }
    }),
  )
})

test('lists that were not made of each other may have other folders by the same numbers', () => {
  const folders = [folder(1, 'first')]
  assert.equal(NumberedFolders.of(folders).changedSince(NumberedFolders.of(folders)), undefined)
})
