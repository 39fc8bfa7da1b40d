import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'vitest'
import type { WriterOrder, WriterSetup } from '../../../../infra/local/search/messages.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

describe('the writer of search indexes', () => {
  it('ends in order when the server has gone before its answer', async () => {
    const directory = temporaryDirectory()
    const table = join(directory, 'table.db')
    openEmbeddedTable(table).close()
    const setup: WriterSetup = { directory: join(directory, 'search'), table, mergeAfter: 60_000 }
    const writer = fork('infra/local/search/writer-process.ts', [JSON.stringify(setup)], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    const ended = Promise.all([once(writer, 'exit'), text(writer.stderr!)])
    const ask = (id: number) => writer.send({ id, companyId: 1, now: Date.now() } satisfies WriterOrder)
    ask(1)
    await once(writer, 'message')
    // Held until the channel is closed, it finds the order first, and nobody to answer.
    writer.kill('SIGSTOP')
    ask(2)
    writer.disconnect()
    writer.kill('SIGCONT')
    const [[code], said] = await ended
    assert.deepEqual([code, said], [0, ''])
  })
})
