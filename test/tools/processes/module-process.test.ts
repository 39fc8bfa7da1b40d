import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { ModuleProcess, ProcessEnded } from '../../../shared/tools/processes/module-process.ts'
import type { TimeLimit } from '../../../shared/tools/processes/time-limit.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** Does as it is told: answers with the order, exits, crashes, or never answers. */
const source = `
process.on('message', ({ id, what, bytes }) => {
  if (what === 'exit') process.exit(3)
  if (what === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (what === 'spin') for (;;);
  if (what === 'later') setTimeout(() => process.send({ id }), 50)
  if (what === 'soon') process.send({ id })
  if (what === 'answer') process.send({ bytes, secret: process.env.SOME_SECRET, pid: process.pid })
})
process.on('disconnect', () => process.exit())
`

type Order = { id?: number; what: 'answer' | 'later' | 'soon' | 'exit' | 'crash' | 'nothing' | 'spin'; bytes?: Buffer }
type Answer = { id?: number; bytes: Buffer; secret: string | undefined; pid: number }

describe('a module in a process of its own', () => {
  const directory = temporaryDirectory(afterAll)
  beforeAll(async () => {
    await writeFile(join(directory, 'module.mjs'), source)
    process.env.SOME_SECRET = 'hidden'
  })
  afterAll(() => void delete process.env.SOME_SECRET)
  const start = () => new ModuleProcess<Order, Answer>({ module: pathToFileURL(join(directory, 'module.mjs')), env: {} })

  it('answers one order after the other, bytes too, knows nothing of the environment, and ends when dismissed', async () => {
    const child = start()
    for (const byte of [1, 2]) {
      const { bytes, secret } = await child.ask({ what: 'answer', bytes: Buffer.from([byte]) }, 60_000)
      assert.deepEqual([...bytes, secret], [byte, undefined])
    }
    child.dismiss()
    await child.ended
    assert.equal(child.isAlive, false)
  })

  it('gives each of several orders its own answer, in any order, and tells all of its end', async () => {
    const child = start()
    const answers = await Promise.all([child.ask({ id: 1, what: 'later' }), child.ask({ id: 2, what: 'soon' })])
    assert.deepEqual(
      answers.map(({ id }) => id),
      [1, 2],
    )
    const unanswered = [3, 4].map((id) => assert.rejects(child.ask({ id, what: 'nothing' }), ProcessEnded))
    await assert.rejects(child.ask({ id: 5, what: 'exit' }), /exit code 3/)
    await Promise.all(unanswered)
  })

  it('tells how it ended: by itself, by a crash, for its time, or killed', async () => {
    const endings: [Order['what'], number, NodeJS.Signals | null, boolean][] = [
      ['exit', 60_000, null, false],
      ['crash', 60_000, 'SIGSEGV', false],
      ['nothing', 300, 'SIGKILL', true],
    ]
    for (const [what, milliseconds, signal, isTimeout] of endings) {
      const outcome = start().ask({ what }, milliseconds)
      await assert.rejects(outcome, (error) => {
        assert.ok(error instanceof ProcessEnded)
        assert.deepEqual([error.signal, error.isTimeout], [signal, isTimeout])
        return true
      })
    }
    const killed = start()
    const outcome = assert.rejects(killed.ask({ what: 'nothing' }, 60_000), ProcessEnded)
    killed.kill()
    await outcome
  })

  it.skipIf(process.platform !== 'linux')('is killed for the processor time that it takes, and for wall time without it', async () => {
    const outcome = async (what: Order['what'], limit: TimeLimit) => {
      const child = start()
      await child.ask({ what: 'answer' })
      await assert.rejects(child.ask({ what }, limit), { name: limit.wall < limit.processor ? 'ToolBusy' : 'ToolTimedOut' })
      await child.ended
    }
    await outcome('spin', { processor: 300, wall: 600_000 })
    await outcome('nothing', { processor: 600_000, wall: 300 })
  })
})
