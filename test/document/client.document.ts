import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { toolOrSkip } from '../support/available-tool.ts'
import { documentTools } from './tools.ts'

const { tool: modules, skip } = await toolOrSkip('a generator of clients', documentTools)

const client = `
import createClient from 'openapi-fetch'
import type { paths } from './api'
export const client = createClient<paths>({ baseUrl: '' })
const { data: folder } = await client.POST('/folder', { body: { name: 'Harbour' } })
const id = folder!.id
`

/** What a developer writes with a generated client. */
const programs = {
  right: `${client}
await client.GET('/folder/{id}', { params: { path: { id } } })
await client.POST('/folder', { body: { name: 'Below', parent: id } })
const { data } = await client.GET('/search', {
  params: { query: { return_values: ['unique_media_id', 'title'], folder_ids: [id], media_count: 20, recursive: true } },
})
const media = data!.response.media[0]!.unique_media_id!
await client.POST('/media/{id}/move', { params: { path: { id: media } }, body: { from: id, to: id } })
await client.PUT('/media/{id}/metadata/keyword', { params: { path: { id: [media] } }, body: { en: ['dawn'] } })
const { data: me } = await client.GET('/whoami')
await client.GET('/company/{id}/users', { params: { path: { id: me!.company_id } } })
await client.POST('/clique', { body: { name: 'Friends', svc_id: me!.company_id, thumbnail_id: media } })
`,
  wrong: `${client}
await client.GET('/folder/{id}', { params: { path: { id: String(id) } } })
`,
}

describe('a client generated from the document', skip, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'))
    await symlink(modules!, join(folder, 'node_modules'))
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(endpoints, defaultSettings)))
    await promisify(execFile)(join(modules!, '.bin/openapi-typescript'), ['openapi.json', '-o', 'api.d.ts'], { cwd: folder })
    for (const [name, program] of Object.entries(programs)) await writeFile(join(folder, `${name}.ts`), program)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** @returns what the compiler finds wrong */
  const compile = (program: string) => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck']
    return new Promise<string>((resolve) => {
      execFile(join(modules!, '.bin/tsc'), [...options, program], { cwd: folder, timeout: 120_000 }, (_, stdout) => resolve(stdout))
    })
  }

  test('passes ids from answers into calls without a cast', async () => {
    assert.equal(await compile('right.ts'), '')
  })

  test('does not take text for an id', async () => {
    assert.match(await compile('wrong.ts'), /'string' is not assignable to type 'number'/)
  })
})
