import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { makeLibrary, runCommand } from './run-command.ts'

test('on one machine the commands for the index say that there is nothing to do, and how to have the indexes built again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'admin-search-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await makeLibrary(directory)
  for (const verb of ['rebuild', 'verify']) {
    const { code, out, error } = await runCommand(directory, ['search', verb])
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /Each search brings the indexes in .*search up to date\. Stop the server and remove that folder to rebuild them\./)
  }
})
