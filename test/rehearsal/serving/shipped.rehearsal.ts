import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation'
import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { describe, inject, test } from 'vitest'
import { unzipped } from '../../support/unzipped.ts'
import { deployed, stack } from '../changing.ts'

describe('what is deployed', () => {
  test('is the folder that `npm run synth` wrote, unchanged', async () => {
    assert.deepEqual(await deployed.files(), inject('rehearsal')!.synthesized)
  })

  test('has the template of that folder, byte for byte', async () => {
    const client = new CloudFormationClient()
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
    client.destroy()
    assert.ok(TemplateBody === (await readFile(join(deployed.folder, `${stack}.template.json`), 'utf8')))
  })

  test('has the packages of that folder, file by file', async () => {
    const client = new LambdaClient()
    // One that streams and ships native parts, one that keeps temporary files, and one with neither.
    for (const key of ['render-image', 'search-media', 'get-folder']) {
      const { name: FunctionName, path } = await deployed.packageOf(key)
      const { Code } = await client.send(new GetFunctionCommand({ FunctionName }))
      const entries = await unzipped(Buffer.from(await (await fetch(Code!.Location!.replace('http:', 'https:'))).arrayBuffer()))
      const folder = join(deployed.folder, path)
      const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      assert.deepEqual(
        entries.map(({ path }) => path).sort(),
        files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort(),
      )
      for (const { path, bytes } of entries) assert.ok(bytes.equals(await readFile(join(folder, path))), `${key}: ${path}`)
    }
    client.destroy()
  })
})
