import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { bytes, keys } from './contract.ts'
import { objectFiles, temporaryObjects } from './temporary-objects.ts'

describe('processes on one embedded bucket', () => {
  test('a process killed while it writes leaves every object whole or absent, and every acknowledged one', async () => {
    const bucket = await temporaryObjects()
    try {
      for (const milliseconds of [150, 300, 450]) {
        const acknowledged = await writeAndKill(bucket.directory, milliseconds)
        const objects = openEmbeddedObjects(bucket.directory)
        const found = await keys(objects, 'crash/')
        for (let number = 0; number <= acknowledged; number += 1) assert.ok(found.includes(`crash/${number}`), `put ${number} is lost`)
        for (const key of found) {
          const { stream, bytes: size } = await objects.get(key)
          const content = await bytes(stream)
          assert.equal(size, 4 * 1024 ** 2)
          assert.deepEqual(content, Buffer.alloc(size, content[0]!), `${key} is mixed`)
        }
        assert.equal((await objectFiles(bucket.directory)).length, found.length, 'files without an object')
        await objects.delete(found)
        objects.close()
      }
    } finally {
      await bucket.close()
    }
  })
})

/** @returns the number of the last object that the process had acknowledged when it was killed; -1 when none */
async function writeAndKill(directory: string, milliseconds: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer-process.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(child.stdout, 'data')
  await pause(milliseconds)
  child.kill('SIGKILL')
  await once(child, 'close')
  return Math.max(-1, ...[...output.matchAll(/^put (\d+)\n/gm)].map(([, number]) => Number(number)))
}
