import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'
import { skippedFor } from '../../support/skipping.ts'
import { upload } from '../../support/uploading.ts'
import { NODE, ServerProcess } from './server-process.ts'
import { readSyncTrace, type SyncTrace, traced } from './sync-trace.ts'

const works = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0

const WRITERS = 4
const FOLDERS = 15
const UPLOADS = 3

describe('what a server acknowledges', skippedFor(!works && 'strace can not be used here'), () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  /** Writes records side by side, which go into groups, then uploads files. @param nodeOptions further options of Node */
  async function traceOfWrites(nodeOptions: readonly string[] = []): Promise<SyncTrace> {
    const file = join(directory, 'trace')
    const [node, ...options] = NODE
    const server = new ServerProcess(join(directory, 'data'), {}, traced(file, [node, ...nodeOptions, ...options]))
    const service = await server.ready()
    const pid = Number(readFileSync(join(directory, 'data', 'server.pid'), 'utf8'))
    try {
      const client = await service.client()
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
    return readSyncTrace(file, pid)
  }

  it('is on the disk by then: records, messages, and objects with their bytes', async () => {
    const { answers, syncedObjects, unsynced } = await traceOfWrites()
    assert.deepEqual(unsynced, [])
    assert.ok(answers >= WRITERS * FOLDERS + 3 * UPLOADS, `${answers} answers`)
    assert.ok(syncedObjects >= UPLOADS, `${syncedObjects} objects`)
  })

  it('would be found wanting: a server that syncs too late does not pass', async () => {
    const { unsynced } = await traceOfWrites(['--import', new URL('./late-syncs.ts', import.meta.url).href])
    const names = new Set(unsynced.map((file) => (file.includes('/incoming/') ? 'object' : basename(file))))
    for (const name of ['table.db-wal', 'index.db-wal', 'object']) assert.ok(names.has(name), `${name} is among ${[...names]}`)
  })
})
