import { readFileSync } from 'node:fs'

/** What a server did with files and connections, as strace saw it. */
export interface SyncTrace {
  /** Answers that tell of success. */
  answers: number
  /** Files of objects that were synced. */
  syncedObjects: number
  /** Files with data that was not on the disk when an answer left, once for each answer. */
  unsynced: string[]
}

/** Makes a command one that strace watches, with its threads. It writes into a file what `readSyncTrace` reads. */
export function traced(file: string, command: readonly string[]): [string, ...string[]] {
  const calls = 'write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync'
  return ['strace', '-f', '--seccomp-bpf', '-qq', '-y', '-s', '16', '-e', `trace=${calls}`, '-e', 'signal=none', '-o', file, ...command]
}

/** A call that strace saw: whole, its begin (`<unfinished ...>`), or its end (`<... resumed>`), because threads interleave. */
const CALL = /^(?<thread>\d+) +(?:(?<name>\w+)\(\d+<(?<file>[^>]*)>(?<rest>.*)|<\.\.\. \w+ resumed>(?<end>.*))$/

/**
 * Reads a trace. An answer is late enough when everything is on the disk that the server wrote before: to logs of SQLite, by the thread that
 * answers, and to objects that are posted. Only one object may be posted at a time.
 * @param pid of the server. Its first thread, which answers, has that id, too
 */
export function readSyncTrace(file: string, pid: number): SyncTrace {
  /** Number of the last write to a file that isn't on the disk. */
  const dirty = new Map<string, number>()
  /** What each thread syncs, and the number of the write before. */
  const syncing = new Map<string, { file: string; since: number }>()
  const trace: SyncTrace = { answers: 0, syncedObjects: 0, unsynced: [] }
  const endSync = (thread: string) => {
    const sync = syncing.get(thread)
    syncing.delete(thread)
    if (!sync || (dirty.get(sync.file) ?? Number.POSITIVE_INFINITY) > sync.since) return
    dirty.delete(sync.file)
    if (sync.file.includes('/incoming/')) trace.syncedObjects++
  }
  for (const [number, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const { thread = '', name = '', file = '', rest = '', end } = CALL.exec(line)?.groups ?? {}
    const isWatched = (file.endsWith('-wal') && Number(thread) === pid) || file.includes(`/incoming/${pid}-`)
    if (end !== undefined) endSync(thread)
    else if (name.endsWith('sync')) {
      syncing.set(thread, { file, since: number })
      if (!rest.includes('<unfinished')) endSync(thread)
    } else if (isWatched) dirty.set(file, number)
    else if (/^socket:.*"HTTP\/1\.1 [23]/.test(file + rest)) {
      trace.answers++
      trace.unsynced.push(...dirty.keys())
    }
  }
  return trace
}
