import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, onTestFinished, test, vi } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { Composition } from '../../../shared/backends/objects/port.ts'
import { expectationOf, inOrder, stored } from './compositions-contract.ts'
import { bytes, keys } from './contract.ts'
import { bucketOfTest, objectFiles, temporaryObjects } from './temporary-objects.ts'

const MiB = 1024 ** 2

describe('processes on one embedded bucket', () => {
  test('what a killed process stored stays, and another goes on with it', async () => {
    const { directory, objects } = await bucketOfTest()
    const { child, composition } = await composer(directory, 'killed')
    // Parts are noted in steps.
    await vi.waitUntil(async () => (await stored(objects, composition)).length > 0, { timeout: 60_000, interval: 10 })
    child.kill('SIGKILL')
    await once(child, 'close')
    const there = await stored(objects, composition)
    assert.deepEqual(
      there,
      there.map((_, index) => ({ number: index + 1, bytes: 8 * MiB })),
    )
    const filled = there.map(({ number }) => Buffer.alloc(8 * MiB, number))
    await objects.storeParts(composition, inOrder([{ number: there.length + 1, bytes: Buffer.from('the end') }]))
    await objects.completeComposition(composition, expectationOf(Buffer.concat([...filled, Buffer.from('the end')])))
    assert.equal((await objectFiles(directory)).length, 1, 'nothing is left of the killed process')
  })

  test('a composition of 300 MB takes little memory', async () => {
    const { directory } = await bucketOfTest()
    const { child, lines } = await composer(directory, 'large', 38)
    const { value } = await lines.next()
    await once(child, 'close')
    assert.ok(Number(value) < 250 * MiB, `${Number(value) / MiB} MiB`)
  })

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

/** A process that composes, its handle, and the lines that it writes after that. */
async function composer(directory: string, key: string, parts?: number) {
  const script = join(import.meta.dirname, 'composer-process.ts')
  const child: ChildProcess = spawn(process.execPath, [script, directory, key, ...(parts ? [String(parts)] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const composition: Composition = JSON.parse(String((await lines.next()).value))
  return { child, composition, lines }
}

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
