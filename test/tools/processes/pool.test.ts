import assert from 'node:assert/strict'
import { afterEach, describe, it, vi } from 'vitest'
import { ToolBusy, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { type PooledProcess, type PoolSettings, ProcessPool } from '../../../shared/tools/processes/pool.ts'

class FakeProcess implements PooledProcess {
  isAlive = true
  wasDismissed = false
  readonly #gone = Promise.withResolvers<void>()
  readonly ended = this.#gone.promise

  dismiss(): void {
    this.wasDismissed = true
    this.kill()
  }

  kill(): void {
    this.isAlive = false
    this.#gone.resolve()
  }
}

function fakePool(settings: Partial<PoolSettings<FakeProcess>> = {}) {
  const started: FakeProcess[] = []
  const start = () => {
    const process = new FakeProcess()
    started.push(process)
    return process
  }
  return { started, pool: new ProcessPool({ start, size: 2, idleMilliseconds: 1_000, ...settings }) }
}

const quick = async (process: FakeProcess) => process

describe('a pool of processes', () => {
  afterEach(() => void vi.useRealTimers())

  it('starts as many as jobs run at a time, up to its size, and uses the warm one again', async () => {
    const { started, pool } = fakePool()
    for (let job = 0; job < 3; job++) await pool.run(quick)
    assert.equal(started.length, 1)
    let running = 0
    let most = 0
    const slow = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await Promise.all(Array.from({ length: 9 }, () => pool.run(slow)))
    assert.deepEqual([started.length, most], [2, 2])
  })

  it('refuses jobs when enough wait', async () => {
    const { pool } = fakePool({ size: 1, waiting: 1 })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => pool.run(quick)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
    await assert.rejects(Promise.all([1, 2, 3].map(() => pool.run(quick))), ToolBusy)
    await pool.run(quick)
  })

  it('replaces a process that ended, and one that has done enough', async () => {
    const { started, pool } = fakePool({ jobsPerProcess: 2 })
    await assert.rejects(
      pool.run(async (process) => {
        process.kill()
        throw new Error('it died')
      }),
      /it died/,
    )
    for (let job = 0; job < 3; job++) await pool.run(quick)
    assert.deepEqual(
      started.map(({ isAlive }) => isAlive),
      [false, false, true],
    )
  })

  it('dismisses a process that has no job for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { pool } = fakePool()
    const process = await pool.run(quick)
    vi.advanceTimersByTime(999)
    await pool.run(quick)
    vi.advanceTimersByTime(999)
    assert.equal(process.wasDismissed, false)
    vi.advanceTimersByTime(1)
    assert.equal(process.wasDismissed, true)
    assert.notEqual(await pool.run(quick), process)
  })

  it('ends all processes and refuses jobs once closed', async () => {
    const { started, pool } = fakePool({ size: 1 })
    const running = pool.run((process) => process.ended)
    const waiting = assert.rejects(pool.run(quick), ToolUnavailable)
    await new Promise((resolve) => setImmediate(resolve))
    await pool.close()
    await Promise.all([running, waiting])
    await assert.rejects(pool.run(quick), ToolUnavailable)
    assert.deepEqual(
      started.map(({ isAlive }) => isAlive),
      [false],
    )
  })
})
