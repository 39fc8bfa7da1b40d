import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { describe, it } from 'vitest'
import { Workspace } from '../shared/tools/workspace.ts'

const biome = resolve('node_modules/@biomejs/biome/bin/biome')
const config = resolve('biome.json')

/** Ways to send a request past the one module that judges addresses. */
const forbidden = `
  await fetch('https://example.com')
  export const send = fetch
  export const options = { fetch }
  await globalThis.fetch('https://example.com')
  export const { fetch: send } = globalThis
  new WebSocket('https://example.com')
  import { request } from 'node:http'
  import * as http from 'http'
  const { request } = await import('node:https')
  const https = require('node:https')
  export { request } from 'node:https'
  import { connect } from 'node:net'
  import { connect } from 'node:http2'
  import { fetch as send } from 'undici'
  import { discovery } from 'openid-client'
  import { createRemoteJWKSet } from 'jose'
  import { createTransport } from 'nodemailer'`
  .trim()
  .split(/\n +/)

/** Lints files of one line each. @returns the paths in which a request is refused */
async function refused(files: readonly (readonly [path: string, line: string])[]): Promise<string[]> {
  await using workspace = await Workspace.open('outgoing-requests')
  await copyFile(config, workspace.path('biome.json'))
  for (const [path, line] of files) {
    await mkdir(dirname(workspace.path(path)), { recursive: true })
    await writeFile(workspace.path(path), `${line}\n`)
  }
  const command = [biome, 'lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.']
  const { promise, resolve: done } = Promise.withResolvers<string>()
  execFile(process.execPath, command, { cwd: workspace.directory }, (_, output) => done(output))
  const { diagnostics } = JSON.parse(await promise) as { diagnostics: { category: string; location: { path: string } }[] }
  const ours = diagnostics.filter(({ category }) => category.startsWith('lint/style/noRestricted'))
  return [...new Set(ours.map(({ location }) => location.path))].toSorted()
}

describe('the lint', () => {
  it('refuses requests in functions, infra and shared', async () => {
    const folders = ['functions/media', 'infra/local', 'infra/admin', 'shared/library', 'shared/backends/webhooks']
    const files = folders.flatMap((folder) => forbidden.map((line, at) => [`${folder}/line-${at}.ts`, line] as const))
    assert.deepEqual(await refused(files), files.map(([path]) => path).toSorted())
  })

  it('makes the exceptions that shared/backends/README.md names, each for its own way', async () => {
    const call = "await fetch('https://example.com')"
    const request = "import { request } from 'node:http'"
    const files = [
      ['shared/backends/outside/fetch.ts', request],
      ['shared/backends/remote/json-service.ts', call],
      ['infra/aws/smoke/visit.ts', call],
    ] as const
    assert.deepEqual(await refused(files), [])
    const swapped = [
      ['shared/backends/outside/fetch.ts', call],
      ['shared/backends/openid/client.ts', call],
      ['shared/backends/remote/json-service.ts', request],
    ] as const
    assert.deepEqual(await refused(swapped), swapped.map(([path]) => path).toSorted())
  })
})
