import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { onTestFinished, test, vi } from 'vitest'
import { within } from '../../../shared/deadline.ts'
import { ToolBusy, ToolTimedOut } from '../../../shared/tools/failure.ts'
import { processorTime } from '../../../shared/tools/processes/processor-time.ts'
import { timeLimit, timing } from '../../../shared/tools/processes/time-limit.ts'

const limit = timeLimit(1_000)

function withClock() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a file is to blame for what takes the processor, and for nothing that others keep from it', () => {
  withClock()
  let used = 400
  const isOver = timing(limit, () => used)
  vi.advanceTimersByTime(3_999)
  used += 999
  assert.equal(isOver(), undefined)
  vi.advanceTimersByTime(1)
  assert.ok(isOver() instanceof ToolBusy)
  used += 1
  assert.ok(isOver() instanceof ToolTimedOut)
})

test('a tool has no more time than the job that it works for', async () => {
  withClock()
  await within(2_000, async () => {
    const isOver = timing(limit, () => 0)
    vi.advanceTimersByTime(1_999)
    assert.equal(isOver(), undefined)
    vi.advanceTimersByTime(1)
    assert.ok(isOver() instanceof ToolBusy)
  })
})

test.skipIf(process.platform !== 'linux')('what a process started counts as its own, while that runs and afterwards', async () => {
  const spinning = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
  const parent = spawn('/bin/sh', ['-c', `sh -c '${spinning}; read _; :'; read _; :`], { stdio: ['pipe', 'ignore', 'inherit'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const used = () => processorTime(parent.pid!) ?? 0
  await vi.waitUntil(() => used() >= 50, { timeout: 60_000 })
  parent.stdin.write('\n')
  await vi.waitUntil(() => used() >= 50, { timeout: 60_000 })
  parent.kill('SIGKILL')
  await vi.waitUntil(() => processorTime(parent.pid!) === undefined, { timeout: 60_000 })
})
