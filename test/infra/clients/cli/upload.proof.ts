import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { signedIn } from './signed-in.ts'

const FILES = 1_000
const KILLS = 10
/** Files and parts that are sent at a time. */
const TRANSFERS = 2

describe('an upload', async () => {
  const { line, library, newFolder, run, start } = await signedIn()
  const disk = temporaryDirectory(afterAll)

  test('that is killed again and again leaves nothing out, makes nothing twice, and sends few parts again', async () => {
    const target = await newFolder()
    const large = randomBytes(200 * 2 ** 20)
    await writeFile(join(disk, 'a large one.bin'), large)
    await mkdir(join(disk, 'in'))
    for (let n = 0; n < FILES; n++) await writeFile(join(disk, `in/${n}.txt`), `text ${n}`)
    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(['upload', `${disk}/`, '--to', String(target), '--transfers', String(TRANSFERS)])
      child.stdout!.resume()
      const end = line.carried.length + randomInt(5, 250)
      line.fault = () => {
        if (line.carried.length >= end) child.kill('SIGKILL')
        return undefined
      }
      await once(child, 'exit')
    }
    line.fault = () => undefined
    const { code, json, stderr } = await run(['upload', `${disk}/`, '--to', String(target), '--wait', '--json'])
    const { uploaded, already_there, failed } = json.at(-1) as Record<string, number>
    assert.deepEqual([code, uploaded! + already_there!, failed], [0, FILES + 1, 0], stderr)

    const query = { folder_ids: [target], recursive: true, return_values: ['filename' as const, 'file_md5' as const] }
    const found = () => Array.fromAsync(library.searchAll(query))
    await expect.poll(async () => (await found()).length, { timeout: 300_000, interval: 500 }).toBeGreaterThanOrEqual(FILES + 1)
    const files = await found()
    const expected = [...Array.from({ length: FILES }, (_, n) => `${n}.txt`), 'a large one.bin']
    assert.deepEqual(files.map(({ filename }) => filename).sort(), expected.sort())
    const md5 = createHash('md5').update(large).digest('hex')
    assert.equal(files.find(({ filename }) => filename === 'a large one.bin')?.file_md5, md5)

    const parts = line.carried.filter(({ method }) => method === 'PUT').map(({ url }) => new URL(url, line.url).searchParams)
    const different = new Set(parts.map((part) => `${part.get('id')} ${part.get('part')}`))
    assert.equal(different.size, 200 / 8)
    assert.ok(parts.length - different.size <= KILLS * TRANSFERS, `${parts.length - different.size} parts were sent again`)
  })
})
