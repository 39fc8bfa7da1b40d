import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { withProgress } from '../../../infra/admin/progress.ts'

const lineOf = (done: number) => `${done} done`

/** What is told of states that are reported one right after the other. */
async function toldOf(states: readonly number[], error?: Error): Promise<string[]> {
  const lines: string[] = []
  const working = withProgress<number, string>({ error: (line) => lines.push(line) }, lineOf, async (report) => {
    for (const state of states) report(state)
    if (error) throw error
    return 'result'
  })
  if (error) await assert.rejects(working, error)
  else assert.equal(await working, 'result')
  return lines
}

describe('the progress of a long command', () => {
  it('is told from the first state to the last, without all those between', async () => {
    const lines = await toldOf(Array.from({ length: 10_000 }, (_, n) => n))
    assert.deepEqual([lines[0], lines.at(-1)], ['0 done', '9999 done'])
    assert.ok(lines.length < 10_000)
  })

  it('is told once where nothing comes after it, and not where there is none', async () => {
    assert.deepEqual(await toldOf([7]), ['7 done'])
    assert.deepEqual(await toldOf([]), [])
  })

  it('is told to where the command failed', async () => {
    assert.equal((await toldOf([1, 2, 3], new Error('failed'))).at(-1), '3 done')
  })
})
