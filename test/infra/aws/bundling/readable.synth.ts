import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { renderImage } from '../../../../functions/events/render-image.ts'
import { makeReadable } from '../../../../infra/aws/bundling/readable.ts'
import { readSettings } from '../../../../infra/aws/stack/settings.ts'
import { MediaLibraryStack } from '../../../../infra/aws/stack/stack.ts'

describe('packages of functions', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readable-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('can be read by everybody, whatever the umask of who deploys', async () => {
    const before = process.umask(0o077)
    try {
      const bundle = join(folder, 'bundle')
      mkdirSync(join(bundle, 'node_modules/tool'), { recursive: true })
      for (const file of ['index.mjs', 'node_modules/tool/native.node']) writeFileSync(join(bundle, file), 'export const handler = 0')
      chmodSync(join(bundle, 'node_modules/tool/native.node'), 0o700)
      await makeReadable(bundle)
      const app = new App({ analyticsReporting: false, outdir: join(folder, 'out') })
      const settings = readSettings(() => undefined)
      // The host of links needs its renderer.
      const tables = { endpoints: {}, events: { 'render-image': renderImage } }
      new MediaLibraryStack(app, { settings, tables, code: () => Code.fromAsset(bundle) })
      app.synth()
    } finally {
      process.umask(before)
    }
    // As the CDK has copied them, from where it packs them.
    const packed = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^asset\..*\.(mjs|node)$/.test(path),
    )
    assert.equal(packed.length, 2)
    const modes = packed.map((path) => [path.replace(/^.*\./, ''), statSync(join(folder, 'out', path)).mode & 0o777])
    // What its owner may execute, everybody may.
    assert.deepEqual(Object.fromEntries(modes), { mjs: 0o644, node: 0o755 })
  })
})
