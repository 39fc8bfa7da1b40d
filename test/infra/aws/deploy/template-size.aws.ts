import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { makeStack } from '../../../support/aws/library-stack.ts'
import { stateOf } from '../../../support/aws/stack-outputs.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const STACK = 'media-library'

describe('a deployment', () => {
  /** `npm run deploy` without the tools that it fetches. @param folder of the synthesized stack */
  async function deploy(folder: string, ...args: string[]) {
    const child = spawn(process.execPath, ['infra/aws/deploy/main.ts', '--output', folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, out, error }
  }

  test('tells by a dry run how large the templates are that it would send', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'dry-run-'))
    const { code, out, error } = await deploy(folder.path, '--dry-run')
    assert.equal(code, 0, error)
    const { size } = await stat(join(folder.path, `${STACK}.template.json`))
    const line = new RegExp(`^${STACK}\\.template\\.json: ${size.toLocaleString('en')} bytes of 1,000,000, \\d+ resources of 500$`, 'm')
    assert.match(out, line)
    assert.equal(out.match(/^\w+\.nested\.template\.json: /gm)?.length, 6)
    // Where `CI` is set the CDK tells the differences on standard output.
    assert.match(out + error, /^\[\+\] Output BaseUrl/m)
    assert.match(out, /^A month of this stack/m)
  })

  test('makes nothing in an account that has no room for its roles', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'refused-'))
    const role = { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } }
    const many = { Resources: Object.fromEntries(Array.from({ length: 440 }, (_, n) => [`Role${n}`, role])) }
    const others = await Promise.all([makeStack(many), makeStack(many)])
    try {
      const { code, error } = await deploy(folder.path)
      assert.equal(code, 1)
      assert.match(error, /^IAM allows this account 1,000 roles\. It has [89]\d\d, and 1\d\d more are made: remove some/m)
      for (const stack of [STACK, 'CDKToolkit']) assert.equal((await stateOf(stack)).status, 'ABSENT')
    } finally {
      for (const stack of others) await stack.remove()
    }
  })
})
