import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Key } from '../../../shared/backends/table/port.ts'
import { everyPage } from './contract.ts'

interface Counter extends Key {
  rounds: number
}

describe('processes on one embedded table', () => {
  let folder = ''
  let files = 0
  const newFile = () => join(folder, `${files++}.db`)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'table-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const startWriter = (path: string, name: string, rounds: number) => {
    const writer = spawn(process.execPath, [join(import.meta.dirname, 'embedded-writer.ts'), path, name, String(rounds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { writer, ended: once(writer, 'close'), lines: createInterface(writer.stdout) }
  }

  test('a killed writer loses nothing that was acknowledged and leaves no half transaction', async () => {
    for (const killAfter of [1, 30, 100]) {
      const path = newFile()
      const { writer, ended, lines } = startWriter(path, 'writer', 100_000)
      let acknowledged = 0
      lines.on('line', () => {
        if (++acknowledged === killAfter) writer.kill('SIGKILL')
      })
      await ended
      const table = openEmbeddedTable(path)
      try {
        const counter = await table.get<Counter>({ pk: 'COUNTER', sk: 'all' })
        const rounds = counter?.rounds ?? 0
        assert.ok(rounds >= acknowledged && acknowledged >= killAfter, `${rounds} of ${acknowledged} acknowledged rounds`)
        const written = (side: string) => everyPage(table, { pk: 'writer', sk: { beginsWith: side } })
        assert.equal((await written('left ')).length, rounds)
        assert.equal((await written('right ')).length, rounds)
        let [position, changes]: [string | undefined, number] = [undefined, 0]
        for (;;) {
          const batch = await table.readChanges(position, 500)
          if (batch.changes.length === 0) break
          position = batch.position
          changes += batch.changes.length
        }
        assert.equal(changes, 3 * rounds)
        await table.put({ pk: 'after', sk: 'the kill' })
      } finally {
        table.close()
      }
    }
  })

  test('processes that make and write one file at once lose no update', async () => {
    const path = newFile()
    const writers = ['a', 'b', 'c'].map((name) => startWriter(path, name, 100))
    const table = openEmbeddedTable(path)
    try {
      const version = table.dataVersion()
      for (let round = 0; round < 100; round++) await table.update({ pk: 'COUNTER', sk: 'all' }, { add: { rounds: 1, here: 1 } })
      for (const { ended } of writers) assert.deepEqual(await ended, [0, null])
      assert.ok(table.dataVersion() > version)
      const expected = { pk: 'COUNTER', sk: 'all', rounds: 400, here: 100, a: 100, b: 100, c: 100 }
      assert.deepEqual(await table.get({ pk: 'COUNTER', sk: 'all' }), expected)
    } finally {
      table.close()
    }
  })
})
