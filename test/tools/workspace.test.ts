import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { Workspace } from '../../shared/tools/workspace.ts'

describe('a workspace', () => {
  it('is removed with all in it when the job ends, and when it fails', async () => {
    let directory = ''
    const job = async () => {
      await using workspace = await Workspace.open('test')
      directory = workspace.directory
      await writeFile(workspace.path('original'), 'bytes')
      throw new Error('the job failed')
    }
    await assert.rejects(job, /the job failed/)
    assert.equal(existsSync(directory), false)
  })
})
