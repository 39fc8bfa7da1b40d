import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'

/** How soon commits of other processes (workers, the operator's command line) are noticed, in milliseconds. */
const POLL = 100

/**
 * Tells of commits to the table: those of this process right after the request that made them, once for all of one turn of the event
 * loop; those of other processes by polling.
 * @returns how to end the watch
 */
export function watchCommits(table: Pick<EmbeddedTable, 'onCommit' | 'dataVersion'>, onCommits: () => void): () => void {
  let isScheduled = false
  const forgetCommits = table.onCommit(() => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      onCommits()
    })
  })
  let seen = versionOf(table)
  const poll = setInterval(() => {
    const version = versionOf(table)
    if (version !== seen) onCommits()
    seen = version
  }, POLL)
  return () => {
    clearInterval(poll)
    forgetCommits()
  }
}

/** Undefined while the table can't be read. That changes the version, so followers try to read, and log why they can't. */
function versionOf(table: Pick<EmbeddedTable, 'dataVersion'>): number | undefined {
  try {
    return table.dataVersion()
  } catch {
    return undefined
  }
}
