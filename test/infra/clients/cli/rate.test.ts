import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Rate } from '../../../../infra/clients/cli/rate.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { signedIn } from './signed-in.ts'

const MiB = 2 ** 20

describe('a rate', () => {
  /** A clock on which only waits take time. */
  const virtual = () => {
    let now = 0
    const sleep = async (milliseconds: number) => {
      now += milliseconds
    }
    const clock = { now: () => now, sleep }
    return { clock, seconds: () => now / 1000 }
  }
  async function* chunks(bytes: number, size: number) {
    for (let left = bytes; left > 0; left -= size) yield new Uint8Array(Math.min(left, size))
  }
  const drain = async (rate: Rate, bytes: number, size: number) => {
    let passed = 0
    for await (const chunk of rate.passed(chunks(bytes, size))) passed += chunk.length
    assert.equal(passed, bytes)
  }

  test.each([
    [MiB, 8 * MiB, 2 ** 16],
    [MiB, 8 * MiB, 8 * MiB],
    [1_000, 5_000, 4_096],
    [1_000 * MiB, 3_000 * MiB, MiB],
  ])('of %d bytes a second holds %d bytes that come by %d, from the first on', async (perSecond, bytes, size) => {
    const { clock, seconds } = virtual()
    await drain(new Rate(perSecond, clock), bytes, size)
    assert.ok(Math.abs(seconds() - bytes / perSecond) <= 0.05, `${seconds()} s`)
  })

  test('is shared by all that pass at the same time', async () => {
    const { clock, seconds } = virtual()
    const rate = new Rate(MiB, clock)
    await Promise.all([1, 2, 3].map(() => drain(rate, MiB, 2 ** 16)))
    assert.ok(seconds() >= 3 - 0.05, `${seconds()} s`)
  })

  test('that is low suffices for few transfers', () => {
    assert.deepEqual(
      [100, 10_000, MiB].map((perSecond) => new Rate(perSecond).transfers(8)),
      [1, 2, 8],
    )
  })
})

describe('--bwlimit', async () => {
  const { newFolder, namesIn, run } = await signedIn()
  const disk = temporaryDirectory(afterAll)
  const folder = await newFolder('Limited')
  await mkdir(join(disk, 'files'))
  for (const name of ['1.bin', '2.bin', '3.bin']) await writeFile(join(disk, 'files', name), randomBytes(150_000))
  await writeFile(join(disk, 'files/small.bin'), randomBytes(50_000))
  const files = join(disk, 'files/')
  const part = join(disk, 'part.bin')
  await writeFile(part, randomBytes(64 * MiB))

  // How long it takes at least doesn't depend on the machine.
  test.each([
    ['forms', 500_000, '1M', () => ['upload', files, '--to', String(folder), '--wait']],
    ['parts', 64 * MiB, '64M', async () => ['upload', part, '--to', String(await newFolder())]],
    ['downloads', 500_000, '1M', () => ['download', 'Limited', join(disk, 'down'), '--original']],
    ['sync to the library', 500_000, '1M', async () => ['sync', files, String(await newFolder())]],
    ['sync from the library', 500_000, '1M', () => ['sync', 'Limited', join(disk, 'synced')]],
    ['archives', 500_000, '1M', () => ['zip', 'Limited', '-o', join(disk, 'all.zip')]],
  ])('holds for %s', async (what, bytes, limit, args) => {
    if (what === 'downloads') await expect.poll(() => namesIn(folder), { timeout: 300_000 }).toHaveLength(4)
    const began = performance.now()
    const { code, stderr } = await run([...(await args()), '--bwlimit', limit])
    const seconds = (performance.now() - began) / 1000
    assert.equal(code, 0, stderr)
    assert.ok(seconds >= (0.95 * bytes) / (MiB * Number(limit.slice(0, -1))), `${seconds} s`)
  })

  test('changes no byte', async () => {
    for (const name of ['1.bin', 'small.bin'])
      for (const copy of ['down', 'synced'])
        assert.deepEqual(await readFile(join(disk, copy, name)), await readFile(join(disk, 'files', name)))
  })
})
