import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, test } from 'vitest'

const projectRoot = join(import.meta.dirname, '../../..')

test('a process that has both tables and the backend open has loaded none of the libraries that tools are made of', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lazy-tools-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, load) => (loaded.push(url), load(url, context)) })
    await import('./functions/endpoints.ts')
    await import('./functions/events.ts')
    const { openEmbeddedBackend } = await import('./infra/local/backend/embedded-backend.ts')
    const options = { directory: ${JSON.stringify(directory)}, baseUrl: 'http://x', mailSender: 'a@example.com', clock: { now: Date.now } }
    await (await openEmbeddedBackend(options)).close()
    const packages = loaded.map((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean)
    process.stdout.write(JSON.stringify([...new Set(packages)].sort()))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: projectRoot })
  const packages: string[] = JSON.parse(stdout)
  assert.ok(packages.includes('zod'), 'packages are seen')
  for (const heavy of ['sharp', 'file-type', '@imagemagick/magick-wasm', '@6over3/zeroperl-ts', 'mediabunny'])
    assert.ok(!packages.includes(heavy), `${heavy} among ${packages}`)
})
