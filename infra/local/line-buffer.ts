/** Longest time that a line waits, in milliseconds. */
const WAIT = 20
/** Most characters that wait. */
const MAX_WAITING = 64 * 1024

/** Collects lines and writes several at once: a write for each line would take a tenth of a request's time. */
export interface LineBuffer {
  /** @param line without its end */
  add(line: string): void
  /** Writes all waiting lines now. */
  flush(): void
}

/**
 * Makes a buffer that writes its lines when the process exits or crashes; only SIGKILL loses those of the last 20 ms.
 * @param write must be synchronous, because nothing asynchronous runs at the exit
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
  // Node writes the stack trace of a crash next.
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
