/** Milliseconds for which lines wait for others. */
const WAIT = 20
/** Characters that wait at most. */
const MAX_WAITING = 64 * 1024

/** Takes lines, and writes those of a moment together: a write for each would cost a request a tenth of its time. */
export interface LineBuffer {
  /** @param line without its end */
  add(line: string): void
  /** Writes what waits. */
  flush(): void
}

/**
 * Makes a buffer whose lines are not lost when the process ends by itself, is ended, or crashes; only SIGKILL takes the last 20 ms.
 * @param write writes synchronously, or nothing could be written at the end
 */
export function lineBuffer(write: (text: string) => void): LineBuffer {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text) write(text)
  }
  process.on('exit', flush)
  // Before the trace of what crashed the process, which Node writes next.
  process.on('uncaughtExceptionMonitor', flush)
  return {
    add(line) {
      waiting += `${line}\n`
      if (waiting.length > MAX_WAITING) flush()
      else timer ??= setTimeout(flush, WAIT).unref()
    },
    flush,
  }
}
