import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'
import { skippedFor } from '../../support/skipping.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { upload } from '../../support/uploading.ts'
import { NODE, ServerProcess } from './server-process.ts'

const works = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0

const WRITERS = 4
const FOLDERS = 15
const UPLOADS = 3

/** What a server did with files and connections, as strace saw it. */
interface SyncTrace {
  /** Answers that tell of success. */
  answers: number
  /** Syncs of files of objects, and of logs by the thread that answers. */
  syncedObjects: number
  syncedLogs: number
  /** Files with data that was not on the disk when an answer left, once for each answer. */
  unsynced: string[]
}

/** Makes a command one that strace watches, with its threads. It writes into a file what `readSyncTrace` reads. */
function traced(file: string, command: readonly string[]): [string, ...string[]] {
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
function readSyncTrace(file: string, pid: number): SyncTrace {
  /** Number of the last write to a file that isn't on the disk. */
  const dirty = new Map<string, number>()
  /** What each thread syncs, and the number of the write before. */
  const syncing = new Map<string, { file: string; since: number }>()
  const trace: SyncTrace = { answers: 0, syncedObjects: 0, syncedLogs: 0, unsynced: [] }
  const endSync = (thread: string) => {
    const sync = syncing.get(thread)
    syncing.delete(thread)
    if (!sync || (dirty.get(sync.file) ?? Number.POSITIVE_INFINITY) > sync.since) return
    dirty.delete(sync.file)
    if (sync.file.includes('/incoming/')) trace.syncedObjects++
    else trace.syncedLogs++
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

test(
  'what a server acknowledges is on the disk by then: records, messages, and objects with their bytes',
  skippedFor(!works && 'strace can not be used here'),
  async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'trace')
    const server = new ServerProcess(join(directory, 'data'), {}, traced(file, NODE))
    const service = await server.ready()
    const pid = Number(readFileSync(join(directory, 'data', 'server.pid'), 'utf8'))
    try {
      const client = await service.client()
      // Writes records side by side, which go into groups, then uploads files.
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < FOLDERS; n++) await client['create-folder']({ body: { name: `${writer}-${n}` } })
      })
      await Promise.all(writers)
      const { bytes } = genericThumbnail()
      for (let n = 0; n < UPLOADS; n++) await upload(client, service.demo.folder_id, bytes, `${n}.png`)
    } finally {
      // Not strace, which would leave the server behind.
      process.kill(pid, 'SIGTERM')
      await server.exited
    }
    const { answers, syncedObjects, syncedLogs, unsynced } = readSyncTrace(file, pid)
    assert.deepEqual(unsynced, [])
    assert.ok(answers >= WRITERS * FOLDERS + 3 * UPLOADS, `${answers} answers`)
    assert.ok(syncedObjects >= UPLOADS && syncedLogs >= FOLDERS, `${syncedObjects} objects, ${syncedLogs} logs`)
  },
)
