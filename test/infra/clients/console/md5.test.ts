import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'vitest'
import { md5Of } from '../../../../infra/clients/console/app/uploads/md5.ts'

test.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1_000, 2 * 1024 ** 2, 5 * 1024 ** 2 + 3])('the MD5 of %i bytes', async (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256)
  assert.equal(await md5Of(new Blob([bytes])), createHash('md5').update(bytes).digest('hex'))
})
