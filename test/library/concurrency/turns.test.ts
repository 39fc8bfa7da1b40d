import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Turns } from '../../../shared/library/concurrency/turns.ts'
import { Busy } from '../../../shared/library/errors.ts'

/** Work that ends when it is told to, and notes that it began. */
function workshop(limits: ConstructorParameters<typeof Turns>[0]) {
  const turns = new Turns(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = async (name: string) => {
    begun.push(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    await promise
  }
  const take = (source: string, name = source) => turns.take(source, () => work(name))
  /** Lets begin what may. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  /** Ends the work that began first of what goes on. */
  const endOne = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { turns, begun, take, settled, endOne }
}

describe('work by turns', () => {
  test('no more is done at a time than may be, also when work fails', async () => {
    const { turns, begun, take, settled, endOne } = workshop({ atOnce: 2, atOncePerSource: 1, waiting: 10, waitingPerSource: 10 })
    const all = ['a', 'b', 'c', 'd'].map((source) => take(source))
    await settled()
    assert.deepEqual(begun, ['a', 'b'])
    await endOne()
    assert.deepEqual(begun, ['a', 'b', 'c'])
    await endOne()
    await endOne()
    await endOne()
    await Promise.all(all)
    await assert.rejects(
      turns.take('e', async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
    const after = [take('f'), take('g'), take('h')]
    await settled()
    assert.deepEqual(begun.slice(4), ['f', 'g'])
    for (const _ of after) await endOne()
    await Promise.all(after)
  })

  test('each source has its turn, however many another one sent before', async () => {
    const { begun, take, endOne } = workshop({ atOnce: 1, atOncePerSource: 1, waiting: 10, waitingPerSource: 10 })
    const flood = ['f0', 'f1', 'f2', 'f3'].map((name) => take('flood', name))
    const others = [take('one'), take('two')]
    for (let n = 0; n < 6; n++) await endOne()
    await Promise.all([...flood, ...others])
    assert.deepEqual(begun, ['f0', 'f1', 'one', 'two', 'f2', 'f3'])
  })

  test('a source that has its share waiting is refused at once, others are not; past the whole queue everybody is', async () => {
    const { begun, take, endOne } = workshop({ atOnce: 1, atOncePerSource: 1, waiting: 3, waitingPerSource: 2 })
    const taken = [take('a'), take('a'), take('a')]
    const refused = async (source: string) => assert.rejects(take(source), (error) => error instanceof Busy && error.retryAfter === 1)
    await refused('a')
    taken.push(take('b'))
    await refused('b')
    await refused('c')
    for (let n = 0; n < 4; n++) await endOne()
    await Promise.all(taken)
    assert.deepEqual(begun, ['a', 'a', 'b', 'a'])
  })

  test('who leaves before the turn gives up the place', async () => {
    const { turns, begun, take, settled, endOne } = workshop({ atOnce: 1, atOncePerSource: 1, waiting: 2, waitingPerSource: 2 })
    const first = take('a', 'a0')
    const leaving = new AbortController()
    const left = [1, 2].map(() =>
      assert.rejects(
        turns.take('a', async () => void begun.push('left'), leaving.signal),
        { name: 'AbortError' },
      ),
    )
    await assert.rejects(take('a', 'a1'), Busy)
    leaving.abort()
    await Promise.all(left)
    await assert.rejects(
      turns.take('b', async () => undefined, leaving.signal),
      { name: 'AbortError' },
    )
    const last = take('a', 'a2')
    await endOne()
    await endOne()
    await settled()
    await Promise.all([first, last])
    assert.deepEqual(begun, ['a0', 'a2'])
  })
})
