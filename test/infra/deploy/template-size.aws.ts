import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { stateOf } from '../../support/aws/stack-outputs.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const STACK = 'media-library'

describe('a deployment', () => {
  /** `npm run deploy` without the tools that it fetches. @param folder of the synthesized stack */
  async function deploy(folder: string, ...args: string[]) {
    const child = spawn(process.execPath, ['infra/deploy/main.ts', '--output', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, out, error }
  }

  test('tells by a dry run how large the template is that it would send', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'dry-run-'))
    const { code, out, error } = await deploy(folder.path, '--dry-run')
    assert.equal(code, 0, error)
    const { size } = await stat(join(folder.path, `${STACK}.template.json`))
    const line = new RegExp(`^${STACK}\\.template\\.json: ${size.toLocaleString('en')} bytes of 1,000,000, \\d+ resources of 500$`, 'm')
    assert.match(out, line)
    // Where `CI` is set the CDK tells the differences on standard output.
    assert.match(out + error, /^\[\+\] Output BaseUrl/m)
    assert.match(out, /^A month of this stack/m)
  })

  test('makes nothing of a template that CloudFormation would refuse', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'refused-'))
    const large = ['--asset-metadata', '-c', '@aws-cdk/core:suppressTemplateIndentation=']
    const { code, error } = await deploy(folder.path, ...large)
    assert.equal(code, 1)
    assert.match(
      error,
      /^CloudFormation would refuse media-library\.template\.json: it has 1,0\d\d,\d{3} bytes, at most 1,000,000 are taken\.$/m,
    )
    for (const stack of [STACK, 'CDKToolkit']) assert.equal((await stateOf(stack)).status, 'ABSENT')
  })
})
