import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'

/** Does something to the next process that is started, as soon as it is. */
export function withNextProcess(act: (child: ChildProcess) => void): void {
  const started = (message: unknown) => {
    unsubscribe('child_process', started)
    act((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', started)
  onTestFinished(() => void unsubscribe('child_process', started))
}
