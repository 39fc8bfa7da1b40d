import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'vitest'
import { runJson } from '../../infra/admin/run-command.ts'
import { startService } from '../../support/service.ts'

describe('the smoke test', () => {
  test('goes through the deployed stack, sees that the emulator refuses no URL and chooses no origin, and leaves nothing', async () => {
    const { stack = '' } = await startService()
    const companies = async () => (await runJson('', ['company', 'list', '--stack', stack])).map(({ name }: { name: string }) => name)
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>()
    execFile(process.execPath, ['infra/aws/smoke/main.ts', '--stack', stack], (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    )
    const { code, output } = await promise
    const lines = output.split('\n').filter((line) => /^(ok|FAILED|STAYS) /.test(line))
    // The emulator's gaps: test/rehearsal/limits.ts names them. The test itself makes no difference between it and AWS.
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('ok ')),
      [
        'FAILED  the link is rendered 64 pixels wide: the picture is 640 pixels wide',
        'FAILED  IIIF shows a part of it: answered with 403, <?xml version="1.0" encoding="UTF-8"?>',
        'FAILED  removed from the CDN folder, the link answers 404: answered with 403 instead of 404',
        'FAILED  the video removed, its stream answers 404: answered with 403 instead of 404',
        'FAILED  a URL with a forged signature is refused: answered with 200 instead of 403',
        'FAILED  a URL without a signature is refused: answered with 200 instead of 403',
      ],
      output,
    )
    assert.deepEqual([lines.length, code], [30, 1])
    assert.ok(!(await companies()).some((name: string) => name.startsWith('smoke-test-')))
  })
})
