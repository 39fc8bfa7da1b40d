import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Engine, EngineSettings } from '../../../shared/tools/metadata/engine.ts'

const script = fileURLToPath(import.meta.resolve('exiftool-vendored.pl/bin/exiftool'))

describe('a Perl beside the bundle of a function', () => {
  let folder: string
  let chooseEngine: (settings: EngineSettings) => Promise<Engine>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundled-perl-'))
    const bundle = join(folder, 'index.mjs')
    const engine = fileURLToPath(import.meta.resolve('../../../shared/tools/metadata/engine.ts'))
    await build({ entryPoints: [engine], outfile: bundle, bundle: true, format: 'esm', platform: 'node' })
    chooseEngine = (await import(pathToFileURL(bundle).href)).chooseEngine
    await mkdir(join(folder, 'perl'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** What stands in for it, as a shell script. */
  async function besideBundle(text: string): Promise<string> {
    const path = join(folder, 'perl/perl')
    await writeFile(path, `#!/bin/sh\n${text}\n`)
    await chmod(path, 0o755)
    return path
  }

  test('runs ExifTool', async () => {
    const path = await besideBundle('echo 13.59')
    const { kind, args } = await chooseEngine({ script })
    assert.deepEqual([kind, args.includes(path)], ['perl', true])
  })
})
