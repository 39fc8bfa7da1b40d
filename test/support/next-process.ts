import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'
import { confinement } from '../../shared/tools/processes/confined.ts'

// No test means the processes that try out how others are confined.
await confinement()

/** Does something to the next process that is started, as soon as it is. */
export function withNextProcess(act: (child: ChildProcess) => void): void {
  const started = (message: unknown) => {
    unsubscribe('child_process', started)
    act((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', started)
  onTestFinished(() => void unsubscribe('child_process', started))
}
