import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import type { endpoints } from '../../../functions/endpoints.ts'
import { openLibrary } from '../../../infra/admin/library.ts'
import type { ApiClient } from '../../../shared/http/client.ts'
import { isMedia } from '../../../shared/library/media/keys.ts'
import { everyScanned } from '../../../shared/library/pages.ts'
import { images } from '../../support/pictures/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ServerProcess } from '../local/server-process.ts'
import { makeLibrary, runCommand, runJson } from './run-command.ts'

const ITEMS = 400

/** A manifest in a folder of its own, with what it names. */
async function manifestIn(folder: string, entries: unknown, files: Record<string, Uint8Array> = {}): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const path = join(folder, 'manifest.json')
  await writeFile(path, JSON.stringify(entries))
  return path
}

/** Everything in the table of a library. */
async function recordsOf(directory: string) {
  const library = await openLibrary({ stack: undefined, environment: { DATA_DIR: directory } })
  try {
    return await Array.fromAsync(everyScanned(library.scanner))
  } finally {
    library.close()
  }
}

/** The ids of the items in a library, of every item as often as it is there. */
async function itemsOf(directory: string): Promise<string[]> {
  return (await recordsOf(directory))
    .filter(isMedia)
    .flatMap(({ stock }) => stock ?? [])
    .sort()
}

/** The command in a process of its own. */
function startCommand(directory: string, manifest: string): ChildProcess {
  const program = fileURLToPath(new URL('../../../infra/admin/main.ts', import.meta.url))
  const environment = { PATH: process.env.PATH, DATA_DIR: directory }
  return spawn(process.execPath, [program, 'stock', 'import', manifest, '--json'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Waits until a command tells of the first items that are done. */
async function firstDone({ stderr }: ChildProcess): Promise<void> {
  for await (const line of createInterface(stderr!)) if (line.endsWith(' done')) return
}

async function hits(client: ApiClient<typeof endpoints>, q: string) {
  const { body } = await client['search-stock']({ query: { q, return_values: ['media_id', 'title'] } })
  return body.response.media
}

describe('stock import', () => {
  let directory: string
  let folder: string
  beforeEach(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'stock-import-test-'))
    directory = join(parent, 'data')
    folder = join(parent, 'stock')
    await makeLibrary(directory)
  })
  afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }))

  const described = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `item ${n}`,
      title: { en: `Title ${n}`, da: `Titel ${n}` },
      keywords: { de: ['Hafen'] },
    }))

  it('prints what it did, its progress beside it, and does nothing the second time', async () => {
    const manifest = await manifestIn(folder, [...described(40), { id: 40, file: 'a.txt' }], { 'a.txt': Buffer.from('text') })
    const first = await runCommand(directory, ['stock', 'import', manifest, '--json'])
    assert.deepEqual([first.code, JSON.parse(first.out)], [0, { imported: 41, unchanged: 0 }])
    assert.match(first.error, /^(\d+ of 41 items checked\n)*41 of 41 items checked\n(\d+ of 41 items done\n)*41 of 41 items done$/)
    const before = await recordsOf(directory)
    const second = await runCommand(directory, ['stock', 'import', manifest])
    assert.deepEqual([second.code, second.out], [0, 'Imported: 0. Unchanged: 41.'])
    assert.deepEqual(await recordsOf(directory), before)
    assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
  })

  it('takes an empty manifest for what it is', async () => {
    assert.deepEqual(await runJson(directory, ['stock', 'import', await manifestIn(folder, [])]), { imported: 0, unchanged: 0 })
  })

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    ['has one id twice', async () => [{ id: 'a' }, { id: 'a' }], /entry 2 \(id a\): has the id of entry 1/],
    [
      'names a file that is not there',
      async () => [{ id: 'a' }, { id: 'b', file: 'no.jpg' }],
      /entry 2 \(id b\): its file "no.jpg" does not exist/,
    ],
    [
      'names a file out of its folder',
      async () => [{ id: 'a' }, { id: 'b', file: '../data/secrets.json' }],
      /is not in the folder of the manifest/,
    ],
    [
      'names a file behind a link out of its folder',
      async (folder) => {
        await symlink('../data/secrets.json', join(folder, 'link'))
        return [{ id: 'a' }, { id: 'b', file: 'link' }]
      },
      /leads out of the folder of the manifest/,
    ],
    ['has an item of another form', async () => [{ id: 'a' }, { id: 'b', title: 'text' }], /entry 2 \(id b\): title must be an object/],
    ['is an object', async () => ({ id: 'a' }), /must be a JSON array of items/],
    ['holds more than an item may', async () => [{ id: 'a' }, { id: 'b', title: tooMuch }], /entry 2 \(id b\): .*at most 204800 bytes/],
  ])('takes nothing of a manifest that %s', async (_, entries, problem) => {
    await mkdir(folder)
    const manifest = await manifestIn(folder, await entries(folder))
    const before = await recordsOf(directory)
    const { code, out, error } = await runCommand(directory, ['stock', 'import', manifest, '--json'])
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, problem)
    assert.deepEqual(await recordsOf(directory), before)
  })

  const tooMuch = Object.fromEntries(['en', 'da', 'de', 'sv', 'nb'].map((language) => [language, 'x'.repeat(50_000)]))

  it('takes nothing of a manifest in which an item changes its file', async () => {
    const manifest = await manifestIn(folder, [{ id: 'a', file: 'a.txt' }], { 'a.txt': Buffer.from('text') })
    await runJson(directory, ['stock', 'import', manifest])
    const before = await recordsOf(directory)
    await manifestIn(folder, [{ id: 'b' }, { id: 'a', file: 'a.txt' }], { 'a.txt': Buffer.from('Text') })
    const { code, error } = await runCommand(directory, ['stock', 'import', manifest])
    assert.equal(code, 1)
    assert.match(
      error,
      /Nothing was taken of it:\nentry 2 \(id a\): the file of item a differs from the one imported; .*give it another id/,
    )
    assert.deepEqual(await recordsOf(directory), before)
  })

  it('is wrong usage without a manifest', async () => {
    const { code, error } = await runCommand(directory, ['stock', 'import'])
    assert.equal(code, 2)
    assert.match(error, /missing required argument 'file'/)
  })

  it('goes on where it was killed, as often as that happens', async () => {
    const entries = [...described(ITEMS), ...described(20).map(({ id }) => ({ id: `${id} with file`, file: 'a.txt' }))]
    const manifest = await manifestIn(folder, entries, { 'a.txt': Buffer.from('text') })
    for (let kills = 0; kills < 3; kills++) {
      const command = startCommand(directory, manifest)
      // A line of progress comes with the first items that are done.
      await Promise.race([firstDone(command), once(command, 'exit')])
      await sleep(kills * 3)
      command.kill('SIGKILL')
      if (command.exitCode === null && command.signalCode === null) await once(command, 'exit')
      assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
    }
    const { imported, unchanged } = await runJson(directory, ['stock', 'import', manifest])
    assert.equal(imported + unchanged, entries.length)
    assert.deepEqual(await itemsOf(directory), entries.map(({ id }) => id).sort())
    assert.deepEqual(await runJson(directory, ['stock', 'import', manifest]), { imported: 0, unchanged: entries.length })
    assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
  })

  it('makes each item once when two processes run it at the same time', async () => {
    const entries = [...described(ITEMS), { id: 'with file', file: 'a.txt' }]
    const manifest = await manifestIn(folder, entries, { 'a.txt': Buffer.from('text') })
    const commands = [startCommand(directory, manifest), startCommand(directory, manifest)]
    const codes = await Promise.all(commands.map(async (command) => (await once(command, 'exit'))[0]))
    assert.deepEqual(codes, [0, 0])
    assert.deepEqual(await itemsOf(directory), entries.map(({ id }) => id).sort())
    assert.deepEqual(await runJson(directory, ['check']), { clean: true, problems: [] })
  })

  it('fills a library whose server is not running: the next one imports the files', async () => {
    const manifest = await manifestIn(
      folder,
      [
        { id: 'picture', file: 'a.jpg', title: { da: 'Fiskerihavn' } },
        { id: 'words', title: { en: 'Quayside' } },
      ],
      {
        'a.jpg': await images['plain.jpg'](),
      },
    )
    await runJson(directory, ['stock', 'import', manifest])
    const server = new ServerProcess(directory)
    try {
      const client = await (await server.ready()).client()
      await until(async () => (await hits(client, 'fiskerihavn')).length === 1)
      assert.equal((await hits(client, 'quayside')).length, 1)
    } finally {
      await server.end('SIGTERM')
    }
  })
})

describe('stock import while the server runs', () => {
  let service: Service
  let client: ApiClient<typeof endpoints>
  let folder: string
  beforeAll(async () => {
    service = await startService()
    client = await service.client()
    folder = await mkdtemp(join(tmpdir(), 'stock-import-test-'))
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const importManifest = async (entries: unknown, files: Record<string, Uint8Array> = {}) =>
    runJson(service.directory!, ['stock', 'import', await manifestIn(folder, entries, files)])

  /** The bytes of an item's file, by its download. */
  async function downloaded(id: number): Promise<Response> {
    const location = await client['get-download-location']({ params: { id } })
    assert.equal(location.status, 200)
    return fetch((location.body as { url: string }).url)
  }

  it('makes items that are found, and whose bytes are downloaded', async () => {
    // A text that carries no metadata: its download is what was imported.
    const bytes = Buffer.from('some words of a stock item')
    await importManifest([{ id: 'text', file: 'words.txt', title: { en: 'Lighthouse', da: 'Fyrtårn' } }], { 'words.txt': bytes })
    await until(async () => (await hits(client, 'fyrtårn')).length === 1)
    const [hit] = await hits(client, 'lighthouse')
    const answer = await downloaded(hit!.media_id!)
    assert.match(answer.headers.get('content-disposition') ?? '', /words\.txt/)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
    assert.deepEqual(await runJson(service.directory!, ['check']), { clean: true, problems: [] })
  })

  it('gives an item the file that comes later: it answers as before, or not at all, until that is imported', async () => {
    const entry = { id: 'later', title: { en: 'Breakwater' } }
    await importManifest([entry])
    const [hit] = await hits(client, 'breakwater')
    const id = hit!.media_id!
    const documentOf = async () => {
      const { status, body } = await client['get-media']({ params: { id } })
      return status === 200 && 'media_type' in body ? `${body.media_type} ${body.file_md5 === '' ? 'without' : 'with'} file` : status
    }
    assert.equal(await documentOf(), 'generic without file')
    assert.equal((await client['get-download-location']({ params: { id } })).status, 404)
    await importManifest([{ ...entry, file: 'picture.jpg' }], { 'picture.jpg': await images['plain.jpg']() })
    const seen = new Set<string | number>()
    await until(async () => {
      const shown = await documentOf()
      seen.add(shown)
      const found = (await hits(client, 'breakwater')).length
      return shown === 'image with file' && found === 1
    })
    assert.ok(seen.isSubsetOf(new Set(['generic without file', 404, 'image with file'])), [...seen].join())
    assert.equal((await downloaded(id)).status, 200)
    assert.deepEqual(await runJson(service.directory!, ['check']), { clean: true, problems: [] })
  })

  it('shows at once what an item says otherwise', async () => {
    await importManifest([{ id: 'edited', title: { en: 'Harbourmaster' } }])
    assert.equal((await hits(client, 'harbourmaster')).length, 1)
    assert.deepEqual(await importManifest([{ id: 'edited', title: { en: 'Boatswain' } }]), { imported: 1, unchanged: 0 })
    assert.deepEqual([(await hits(client, 'harbourmaster')).length, (await hits(client, 'boatswain')).length], [0, 1])
  })

  it('never shows items as own media', async () => {
    await importManifest([{ id: 'own?', title: { en: 'Buoyancy' } }])
    const { body } = await client['search-media']({ query: { q: 'buoyancy', return_values: ['media_id'] } })
    assert.equal(body.response.media.length, 0)
  })
})
