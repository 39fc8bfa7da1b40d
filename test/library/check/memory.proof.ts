import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { testFolder } from '../../support/library.ts'

/** Megabytes that the process may keep in its heap: a quarter of what it reads. */
const HEAP = 48

test('200,000 items of 200 MB, with their 300,000 objects, are checked in a heap of 48 MB', async () => {
  const walk = join(import.meta.dirname, 'large-walk.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP}`, walk, testFolder(), '100000'])
  assert.deepEqual(JSON.parse(stdout), { problems: [], items: 200_000, objects: 300_000, bytes: 200_000_000 })
})
