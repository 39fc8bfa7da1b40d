import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { Notes, type Suspect } from '../../shared/tools/notes.ts'

const text = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.string())
const inOrder = (suspects: Suspect<string>[]) => suspects.map(({ kind, subject }) => `${kind} ${subject}`).sort()

test('whoever needs a fact that was not noted is suspect, once, in whatever order facts and needs came', () => {
  const notes = fc.array(fc.record({ fact: text, subject: fc.option(text) }), { maxLength: 500 })
  fc.assert(
    fc.property(notes, fc.integer({ min: 1, max: 20 }), (all, batchSize) => {
      using noted = new Notes()
      for (const { fact, subject } of all) {
        if (subject === null) noted.fact(fact)
        else noted.need('file', subject, fact)
      }
      const facts = new Set(all.filter(({ subject }) => subject === null).map(({ fact }) => fact))
      const suspects = new Set(all.filter(({ fact }) => !facts.has(fact)).map(({ subject }) => String(subject)))
      const batches = [...noted.suspects(batchSize)]
      assert.ok(batches.every(({ length }) => length <= batchSize))
      assert.deepEqual(inOrder(batches.flat()), inOrder([...suspects].map((subject) => ({ kind: 'file', subject }))))
    }),
  )
})

test('who has a counter to which not as much is added as taken is suspect, in bytes or in number', () => {
  using notes = new Notes()
  notes.count('usage', 'company 1', 'one', { bytes: -5, files: -2 })
  for (const bytes of [2, 3]) notes.count('usage', 'company 1', 'one', { bytes, files: 1 })
  notes.count('usage', 'company 2', 'two', { bytes: -5, files: -1 })
  notes.count('usage', 'company 2', 'three', { bytes: 5, files: 1 })
  notes.count('usage', 'company 3', 'four', { bytes: 5, files: 2 })
  notes.count('usage', 'company 3', 'four', { bytes: -5, files: -1 })
  assert.deepEqual(inOrder([...notes.suspects(10)].flat()), ['usage company 2', 'usage company 3'])
})

test('who is suspect in any case and needs a fact besides is suspect once', () => {
  using notes = new Notes()
  notes.suspect('object', 'stray')
  notes.suspect('object', 'stray')
  notes.need('object', 'stray', 'fact')
  assert.deepEqual(inOrder([...notes.suspects(10)].flat()), ['object stray'])
})
