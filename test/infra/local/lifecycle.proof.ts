import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { DemoFile, demoFile } from '../../../infra/local/demo/demo.ts'
import { exampleNames } from '../../../infra/local/demo/example-files.ts'
import { startServer } from '../../../infra/local/server.ts'
import { readSettings } from '../../../infra/local/settings.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { findCompany } from '../../../shared/library/accounts/companies.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'
import { serviceAt } from '../../support/service.ts'
import { shownAt } from '../../support/shown.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { until } from '../../support/until.ts'
import { imported, upload } from '../../support/uploading.ts'
import { ffmpeg } from '../../support/videos.ts'
import { runJson } from '../admin/run-command.ts'
import { startedServer } from './server-process.ts'

describe('the life of a server', () => {
  let directory: string
  beforeEach(() => {
    directory = temporaryDirectory()
  })

  const start = () => startedServer(directory)
  const readDemo = () => DemoFile.parse(JSON.parse(readFileSync(demoFile(directory), 'utf8')))

  it('prints one ready line, and names the file that holds the demo, which only its owner may read', async () => {
    const server = start()
    const service = await server.ready()
    assert.equal(server.stdout, `ready ${service.baseUrl}\n`)
    assert.match(server.stderr, new RegExp(`A demo company was made; how to sign in is in ${demoFile(directory)}`))
    for (const secret of [service.demo.password, service.demo.api_secret]) assert.ok(!server.stderr.includes(secret))
    assert.equal(statSync(demoFile(directory)).mode & 0o777, 0o600)
    assert.equal(service.demo.base_url, service.baseUrl)
    const { cdn_url, player_url } = service.demo
    assert.deepEqual([cdn_url, player_url], [`${shownAt(service)}/-/links`, `${shownAt(service)}/-/player`])
    assert.notEqual(shownAt(service), service.baseUrl)
    const client = await service.client()
    assert.equal((await client['get-folder']({ params: { id: service.demo.folder_id } })).status, 200)
    const { body } = await client['list-cdn-aliases']({ params: { company: service.demo.company_id } })
    assert.deepEqual(body.aliases, [{ folder_id: service.demo.cdn_folder_id, alias: 'demo', folder_name: 'CDN' }])
    assert.equal(service.demo.cdn_alias, 'demo')
  })

  it('puts pictures, and a film where there is an ffmpeg, into the demo of a person, once', async () => {
    const settings = readSettings({ PORT: '0', DATA_DIR: directory })
    const surroundings = { log: jsonLog(() => undefined), say: () => undefined, isTerminal: true }
    const filesOf = async (baseUrl: string) => {
      const client = await serviceAt(baseUrl, readDemo()).client()
      const { body } = await client['search-media']({ query: { all: 1, q: '', return_values: ['title', 'media_type'] } })
      return body.response.media
    }
    const expected = ffmpeg ? 6 : 5
    const first = await startServer(settings, surroundings)
    try {
      await expect.poll(async () => (await filesOf(first.baseUrl)).length, { timeout: 60_000 }).toBe(expected)
      const found = await filesOf(first.baseUrl)
      const moonlight = found.find(({ title }) => title === 'Moonlight')
      assert.deepEqual(moonlight, { title: 'Moonlight', media_type: 'image' })
      assert.equal(found.filter(({ media_type }) => media_type === 'video').length, expected - 5)
    } finally {
      await first.stop(10_000)
    }
    const second = await startServer(settings, surroundings)
    try {
      assert.equal((await filesOf(second.baseUrl)).length, expected)
    } finally {
      await second.stop(10_000)
    }
  })

  it('goes on with the examples after it was stopped in its first moments, and says where the console is', async () => {
    const settings = readSettings({ PORT: '0', DATA_DIR: directory })
    const said: string[] = []
    const surroundings = { log: jsonLog(() => undefined), say: (text: string) => said.push(text), isTerminal: true }
    await (await startServer(settings, surroundings)).stop(1_000)
    said.length = 0
    const { baseUrl, stop } = await startServer(settings, surroundings)
    try {
      assert.match(said.join('\n'), new RegExp(`^Console, for a browser: +${baseUrl}/console/$`, 'm'))
      const client = await serviceAt(baseUrl, readDemo()).client()
      const names = async () => {
        const { body } = await client['search-media']({ query: { all: 1, q: '', return_values: ['filename'] } })
        return body.response.media.map(({ filename }) => filename).toSorted()
      }
      const all = exampleNames.filter((name) => ffmpeg || !name.endsWith('.mp4')).toSorted()
      await expect.poll(names, { timeout: 60_000 }).toEqual(all)
      const { body: folders } = await client['list-folders']()
      assert.equal(folders.filter(({ name }) => name === 'Examples').length, 1)
    } finally {
      await stop(10_000)
    }
  })

  it('makes no demo with DEMO=0, says how to make the first company, and serves what the command line made', async () => {
    const said: string[] = []
    const settings = readSettings({ PORT: '0', DATA_DIR: directory, DEMO: '0' })
    const surroundings = { log: jsonLog(() => undefined), say: (text: string) => said.push(text), isTerminal: true }
    await (await startServer(settings, surroundings)).stop(1_000)
    assert.match(said.splice(0).join(), /^There is no company yet\. .* company create --name NAME$/)

    const { company_id } = await runJson(directory, ['company', 'create', '--name', 'Acme'])
    const company = ['--company', String(company_id)]
    const boss = ['--username', 'boss', '--fullname', 'The Boss', '--password', 'a password', '--admin']
    const { user_id } = await runJson(directory, ['user', 'create', ...company, ...boss])
    const { key, secret } = await runJson(directory, ['key', 'create', ...company])

    const server = await startServer(settings, surroundings)
    try {
      const credentials = { username: 'boss', password: 'a password', api_key: key, api_secret: secret }
      const client = await serviceAt(server.baseUrl, credentials as DemoFile).client()
      assert.equal((await client.whoami()).body.id, user_id)
    } finally {
      await server.stop(1_000)
    }
    assert.ok(!existsSync(demoFile(directory)))
    const summary = `${directory}: 1 company, 1 user, 0 files, 0 jobs waiting`
    assert.deepEqual(said, [summary, `Console, for a browser:    ${server.baseUrl}/console/`])
    assert.equal((await runJson(directory, ['company', 'list'])).length, 1)
  })

  it('finishes a demo that a crash left half-made', async () => {
    const first = start()
    await until(() => existsSync(join(directory, 'table.db')))
    await first.end('SIGKILL')
    const service = await start().ready()
    const client = await service.client()
    const { body: folders } = await client['list-folders']()
    assert.equal(folders.length, 7)
  })

  it('leaves the demo without what the operator took away', async () => {
    const restart = async () => {
      const server = start()
      const { demo } = await server.ready()
      await server.end('SIGTERM')
      return demo
    }
    const { company_id, cdn_folder_id, cdn_alias } = await restart()
    assert.ok(cdn_folder_id !== undefined && cdn_alias === 'demo')
    const company = ['--company', String(company_id)]
    await runJson(directory, ['cdn', 'alias', 'remove', ...company, '--alias', 'demo'])
    for (const right of ['streaming', 'stock']) await runJson(directory, [right, 'disable', ...company])
    const last = await restart()
    assert.deepEqual([last.cdn_folder_id, last.cdn_alias], [undefined, undefined])
    const table = openEmbeddedTable(embeddedLayout(directory).table)
    const { streaming, stock } = (await findCompany({ table }, company_id))!
    table.close()
    assert.deepEqual([streaming, stock], [false, false])
  })

  it('finishes a running request after SIGTERM, takes no new ones, and exits with 0', async () => {
    const server = start()
    const service = await server.ready()
    const authorization = await service.signIn()
    const body = JSON.stringify({ name: 'Slow' })
    const slow = httpRequest(`${service.baseUrl}/folder`, {
      method: 'POST',
      headers: { authorization, 'content-length': body.length },
    })
    slow.write(body.slice(0, 5))
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    // The server has the request once it has answered another one that was sent later.
    await service.request('/folder', { headers: { authorization } })
    server.child.kill('SIGTERM')
    await until(() => server.stderr.includes('SIGTERM'))
    await assert.rejects(service.request('/folder'))
    slow.end(body.slice(5))
    assert.equal(await answered, 200)
    assert.equal(await server.exited, 0)
  })

  it('refuses a data folder that another server uses, and takes it over once that one was killed', async () => {
    const first = start()
    const service = await first.ready()
    const second = start()
    assert.equal(await second.exited, 1)
    assert.match(second.stderr, new RegExp(`in use by another server \\(process ${first.child.pid}\\)\\. Stop that one first`))
    assert.equal(second.stdout, '')
    assert.ok(await service.signIn())
    await first.end('SIGKILL')
    assert.ok(await (await start().ready()).signIn())
  })

  it('goes on, imports included, when nobody reads its log any more', async () => {
    const server = start()
    const service = await server.ready()
    server.child.stderr!.destroy()
    for (let n = 0; n < 3; n++) assert.equal((await service.request('/nothing')).status, 404)
    const client = await service.client()
    const { bytes } = genericThumbnail()
    assert.ok(await imported(client, await upload(client, service.demo.folder_id, bytes, 'a.png')))
    assert.equal(await server.end('SIGTERM'), 0)
  })
})
