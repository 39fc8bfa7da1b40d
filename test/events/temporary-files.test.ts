import assert from 'node:assert/strict'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import { lambdaProcess } from '../../shared/lambda-process.ts'
import { Workspace } from '../../shared/tools/workspace.ts'

describe('temporary files of a Lambda function', () => {
  let root: string

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lambda-'))
    startAt('2026/11/22/[$LATEST]1f0c')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(root, { recursive: true })
  })

  /** As Lambda starts the process of an environment: its `/tmp` is the one of before. */
  function startAt(logStream: string): void {
    vi.stubEnv('TMPDIR', root)
    vi.stubEnv('AWS_LAMBDA_LOG_STREAM_NAME', logStream)
    lambdaProcess()
  }

  test('of a run that was cut off are gone when the process begins anew', async () => {
    const cutOff = await Workspace.open('link')
    await writeFile(cutOff.path('original'), 'large')
    assert.equal(dirname(dirname(cutOff.directory)), root)
    startAt('2026/11/22/[$LATEST]1f0c')
    await assert.rejects(access(cutOff.directory), { code: 'ENOENT' })
    await using next = await Workspace.open('link')
    await writeFile(next.path('original'), 'large')
  })

  test('stay where another environment begins', async () => {
    const running = await Workspace.open('link')
    startAt('2026/11/22/[$LATEST]2b7e')
    await access(running.directory)
    assert.equal((await readdir(root)).length, 2)
  })
})
